"""How every report looks: light and dark, on a phone and on paper."""

from __future__ import annotations

from typing import Final

STYLE: Final = """\
:root {
  color-scheme: light dark;
  --back: #fff; --text: #111; --faint: #5c6067; --rule: #ccc; --bar: #2f6db3; --end: #111;
  --one: #0b5cad; --two: #b3470b; --tile: #f2efe6; --bad: #a3121f; --good: #0f6b34;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --back: #16181c; --text: #e8e8e8; --faint: #a0a4ab; --rule: #444a52; --bar: #5a9be0; --end: #fff;
    --one: #6cb2ff; --two: #ff9d5c; --tile: #2a2e36; --bad: #ff8a8f; --good: #6fd498;
  }
}
html { background: var(--back); color: var(--text); }
body { font-family: system-ui, sans-serif; max-width: 60rem; }
p, ul, dl { max-width: 46rem; }
dt { flex-basis: 7em; }
a { color: var(--bar); }
.score { font-size: 3em; font-weight: bold; line-height: 1.1; margin: .2em 0; }
.faint { color: var(--faint); }
p { overflow-wrap: anywhere; }
table.bars { border-collapse: collapse; width: 100%; }
table.bars th { text-align: left; font-weight: normal; padding: .2em .8em .2em 0; white-space: nowrap; }
table.bars td { padding: .2em 0; }
table.bars td.number { text-align: right; padding-left: .8em; white-space: nowrap; font-variant-numeric: tabular-nums; }
table.bars tr.grade th { padding-left: 1.2em; color: var(--faint); font-size: .9em; }
table.bars tr.grade td { font-size: .9em; }
.track { position: relative; height: 1.1em; min-width: 8em; border: 1px solid var(--rule); }
tr.grade .track { height: .7em; }
.track i { position: absolute; top: 0; bottom: 0; left: 0; background: var(--bar);
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.track b { position: absolute; top: 45%; height: 0; border-top: 2px solid var(--end); }
table.bars tbody { break-inside: avoid; }
table.bars tbody + tbody tr:first-child > * { padding-top: .8em; }
.answer { border: 1px solid var(--rule); padding: .5em .8em; margin: 0 0 .8em; break-inside: avoid; }
.answer p { margin-bottom: .3em; white-space: pre-wrap; }
code { font-size: .85em; overflow-wrap: anywhere; }
.wide { overflow-x: auto; margin: 0 0 .8em; }
table.figures { border-collapse: collapse; width: 100%; font-size: .85em; font-variant-numeric: tabular-nums; }
table.figures th, table.figures td { padding: .25em .5em; border-bottom: 1px solid var(--rule); text-align: right; }
table.figures thead th { vertical-align: bottom; }
table.figures th[scope=row] { text-align: left; font-weight: normal;
  min-width: 6em; max-width: 14em; overflow-wrap: anywhere; }
table.figures td { white-space: nowrap; }
table.figures thead th:first-child { text-align: left; }
table.figures tr.both > * { font-weight: bold; border-bottom-width: 2px; }
table.figures .range { color: var(--faint); display: block; font-weight: normal; }
table.figures tbody { break-inside: avoid; }
figure { margin: 0 0 1em; break-inside: avoid; }
figcaption { margin: 0 0 .3em; overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; overflow: visible;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); }
svg text.name { paint-order: stroke; stroke: var(--back); stroke-width: 4px; }
svg text.faint { fill: var(--faint); }
svg .scale { stroke: var(--rule); stroke-width: 1; }
svg .axis { stroke: var(--faint); stroke-width: 1; }
svg .one { fill: var(--one); stroke: var(--one); }
svg .two { fill: var(--two); stroke: var(--two); }
svg .both { fill: var(--text); stroke: var(--text); }
svg rect.one, svg rect.two { stroke-width: 0; }
svg rect.few { fill: none; stroke-width: 1.5; stroke-dasharray: 3 2; }
svg .whisker { stroke-width: 2; fill: none; }
svg .raw { stroke: var(--faint); stroke-width: 1.5; fill: var(--back); }
svg .exact { stroke: var(--text); stroke-width: 1.5; fill: none; }
svg .stripe { stroke: var(--back); stroke-width: 1.5; }
svg .tile { fill: var(--tile); stroke: var(--rule); }
svg .covered { fill: none; stroke: var(--rule); stroke-dasharray: 3 3; }
svg .chosen { fill: none; stroke: var(--bad); stroke-width: 2.5; }
svg .best { fill: none; stroke: var(--good); stroke-width: 2.5; stroke-dasharray: 5 3; }
svg text.chosen { fill: var(--bad); stroke: none; font-weight: bold; }
svg text.best { fill: var(--good); stroke: none; font-weight: bold; }
.charts, .moves { display: flex; flex-wrap: wrap; gap: 0 1.5em; }
.charts > *, .moves > * { flex: 1 1 19rem; min-width: 0; max-width: 29rem; }
details { margin: 0 0 1em; }
summary { cursor: pointer; color: var(--faint); }
@media (max-width: 36rem) {
  table.bars td.number span { display: none; }
  .track { min-width: 4em; }
  h1 { overflow-wrap: anywhere; }
  table.figures th, table.figures td { padding: .25em .3em; }
}
@media print { details:not([open]) { display: none; } a { color: inherit; } .wide { overflow: visible; } }
"""
"""For `numberquest.paper.page`, which has what is the same on all paper."""
