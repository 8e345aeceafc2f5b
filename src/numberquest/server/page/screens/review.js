// A match looked at again, step by step: /review#match=ID, /review#record=TEXT&at=K, or a form to bring a record.

import { boardOf, fileName, infoOf, sinceMove } from '../boards/boards.js';
import { certain, chanceChart, even, verdictMark, waterfall, worthBars } from '../parts/chart.js';
import { errorWords, h, mark, morph, row as buttons, sentence, stylesheet } from '../parts/dom.js';
import { ALIKE, change, fixed, inPoints, perCent, whole } from '../parts/figures.js';
import * as keep from '../parts/keep.js';
import { ask, Trouble } from '../parts/net.js';
import { check } from '../parts/seal.js';
import { begin, copyLink } from '../parts/share.js';
import { because, either, plainly, teller } from '../parts/words.js';

/** @import { Context, Page } from '../page.d.ts' */
/** @import { Review, ReviewStep, Seat } from '../wire.d.ts' */

/** The game as it went, while another line of it is shown: with which move, and from where on. @typedef {{ of: Review, at: number, move: string }} Instead */

/** So long each step is seen while a line is played out, in milliseconds. */
const PACE = 1000;
/** Less than this of a chance is no lesson. */
const VISIBLE = 0.01;
/** No record is longer, in bytes. */
const LONGEST = 60000;

/** @type {Page} */
export async function page(main, context) {
  const [match, record] = [context.fragment.get('match'), context.fragment.get('record')];
  context.title('Review');
  await stylesheet('static/style/review.css');
  if (!match && !record) return bring(main, context, '', null, null);
  main.replaceChildren(h('p', { class: 'waiting', role: 'status' }, 'Working out what every move was worth …'));
  let review;
  try {
    review = /** @type {Review} */ (await (match ? ask(`matches/${encodeURIComponent(match)}/review`) : ask('reviews', { body: { record } })));
  } catch (error) {
    // It is listed from now on as what it is, and leads nowhere any more.
    const gone = match && error instanceof Trouble && error.code === 'not-found';
    if (gone && keep.match(match).at !== undefined) keep.note(match, { over: true, gone: true });
    return bring(main, context, record ?? '', error, gone ? null : match);
  }
  /** What was shown before is left first. */
  let leave = () => {};
  const open = async (/** @type {Review} */ what, /** @type {Instead | null} */ instead) => {
    leave();
    leave = await show(main, context, what, instead, open);
  };
  await open(review, null);
  return () => leave();
}

/**
 * The form for a record, with what was wrong about the last one.
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {string} text
 * @param {unknown} trouble
 * @param {string | null} match where it came from, if it did
 */
async function bring(main, context, text, trouble, match) {
  // Whoever has played here more likely wants one of those games than a file.
  const mine = trouble || text ? null : await import('./my_games.js');
  const paper = h('textarea', { id: 'record', rows: 12, spellcheck: 'false', required: true, placeholder: '[Game "…"]\n\n1. 5\n2. 9\n…' });
  paper.value = text;
  const review = () => context.go(`review#record=${encodeURIComponent(paper.value)}`);
  const read = async (/** @type {FileList | null | undefined} */ files) => {
    if (!files?.[0]) return;
    if (files[0].size > LONGEST) return bring(main, context, '', new Trouble({ code: 'too-long', error: `${files[0].name} is too long for the record of a game` }), null);
    paper.value = await files[0].text();
    review();
  };
  const file = h('input', { type: 'file', id: 'file', class: 'unseen', accept: '.nq,.txt,text/plain', onchange: () => read(file.files) });
  const line = (trouble instanceof Trouble && trouble.line) || -1;
  const near = text.split('\n').map((words, at) => ({ words, at: at + 1 })).filter(({ at }) => Math.abs(at - line) < 2);
  const form = h('form', { class: 'sheet bring', onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), review()) },
    h('p', null, 'Bring a game that was saved as a record: choose its file, drop it here, or paste what is in it.'),
    h('p', null, file, h('label', { class: 'button', for: 'file' }, 'Choose a file')),
    h('label', { for: 'record' }, 'Or paste it here'), paper,
    h('p', null, h('button', { class: 'go' }, 'Review it')));
  form.ondragover = (event) => (event.preventDefault(), form.classList.add('over'));
  form.ondragleave = () => form.classList.remove('over');
  form.ondrop = (event) => (event.preventDefault(), read(event.dataTransfer?.files));
  main.replaceChildren(h('h1', { tabindex: '-1' }, 'Review a game'), trouble ? h('div', { class: 'sheet trouble', role: 'alert' },
    h('p', null, h('strong', null, '✗ This cannot be reviewed. '), errorWords(trouble)),
    match && buttons(h('a', { class: 'button', href: `m/${match}` }, 'Back to the game')),
    near.length > 0 && h('pre', null, near.map(({ words, at }) => h(at === line ? 'mark' : 'span', null, `${at === line ? '▸' : ' '} ${at}  ${words}\n`)))) : '', form);
  if (mine) form[keep.matches().some(([, { title }]) => title) ? 'before' : 'after'](mine.myGames(context));
}

/**
 * @param {HTMLElement} main
 * @param {Context} context
 * @param {Review} review
 * @param {Instead | null} instead
 * @param {(review: Review, instead: Instead | null) => Promise<void>} open shows another one
 */
async function show(main, context, review, instead, open) {
  const { steps, names, kinds, seal, chance, outcome, first_mistake: mistake } = review;
  const name = (/** @type {Seat} */ seat) => names[seat - 1] ?? '';
  // Without chance every position is won, lost or drawn, and per cents would say no more.
  const sure = steps.every(({ options }) => certain(options, chance)) && certain([{ move: '', value: review.start }], chance);
  const [module, info, { levels }] = await Promise.all([boardOf(review.game), infoOf(context, review), context.games()]);
  const { house, result, say, tell } = teller(info, module, review.settings, names);
  const words = (/** @type {number} */ index) => {
    const line = review.history[index];
    return line ? module.told(line, review.settings, names) : 'resigns';
  };
  const [match, wish] = [instead ? null : context.fragment.get('match'), context.fragment.get('at')];
  let at = -1;
  const link = () => `review#record=${encodeURIComponent(review.record)}&at=${at}`;

  const called = (/** @type {number} */ to) => {
    const step = steps[to - 1];
    return !step ? 'The start' : step.reveal ? `${step.entry} comes up` : `Move ${step.number}, ${name(step.player)}: ${module.written(step.entry)}`;
  };
  const chart = chanceChart(review, called, select);
  let table = h('div');
  // Apart from what is told, and always there: so a button in it keeps the focus from step to step.
  const [told, retry] = [h('div', { class: 'tale' }), h('div')];
  const where = h('span');
  const walk = /** @type {[string, string, () => number][]} */ ([['|◀', 'First', () => 0], ['◀', 'Previous', () => at - 1],
    ['▶', 'Next', () => at + 1], ['▶|', 'Last', () => steps.length]]).map(([sign, label, to]) =>
    h('button', { class: 'button', 'aria-label': `${label} step`, title: `${label} step`, onclick: () => select(to()) }, sign));
  const rows = [h('button', { onclick: () => select(0) }, h('span', { class: 'words' }, 'The start')), ...steps.map(row)];

  /** @param {number} to */
  function select(to) {
    const first = at < 0;
    at = Math.max(0, Math.min(steps.length, to));
    const step = steps[at - 1];
    const past = review.history.slice(0, at);
    const turn = at < steps.length ? steps[at]?.player : null;
    table = morph(table, module.show({ ...review.settings, ...review.boards[at] }, { moves: [], names, turn, view: review.view, ...sinceMove(past) }));
    morph(told, h('div', { class: 'tale' }, happened(step), whatIf(step)));
    morph(retry, again(step));
    chart.select(at);
    where.textContent = `Step ${at} of ${steps.length}`;
    // Only called disabled: a button that has the focus must not lose it.
    walk.forEach((button, place) => button.setAttribute('aria-disabled', String(place < 2 ? at === 0 : at === steps.length)));
    rows.forEach((button, place) => (place === at ? button.setAttribute('aria-current', 'step') : button.removeAttribute('aria-current')));
    follow();
    const [title, why] = [told.querySelector('h2'), told.querySelector('.why')];
    if (!first) context.say([title?.textContent, step?.verdict && sentence(plainly(step.verdict)), why?.textContent].filter(Boolean).join(' '));
    history.replaceState(null, '', match ? `review#match=${match}&at=${at}` : link());
  }

  /** The list shows the step that is looked at. */
  function follow() {
    const [list, chosen] = [rows[0]?.closest('ol'), rows[at]];
    if (list && chosen) list.scrollTop = chosen.offsetTop - list.clientHeight / 2;
  }

  /** @param {ReviewStep | undefined} step */
  function happened(step) {
    if (!step) {
      const favoured = name(review.start > 0.5 ? 1 : 2);
      return [h('h2', null, 'The start'), h('p', null, sure ? (even(review.start) ? 'Neither can win, if both play as well as they can.' : `${favoured} can win, whatever the other does.`)
        : `If both play as well as they can, ${names[0]} wins ${perCent(review.start)} of such games.`)];
    }
    const who = name(step.player);
    const [before, after] = step.player === 1 ? [step.before, step.after] : [1 - step.before, 1 - step.after];
    const moved = change(after - before);
    return [
      h('p', { class: 'who' }, mark(step.reveal ? 0 : step.player), step.reveal ? 'A number comes up' : `Move ${step.number}`),
      h('h2', null, sentence(step.reveal ? words(at - 1) : `${who} ${words(at - 1)}`)),
      h('p', null, !step.reveal && verdictMark(step.verdict), ' ', h('span', { class: 'why' }, !step.reveal ? because(step, outcome !== null && at === steps.length).map(say).join(' ')
        : moved ? `That is luck: ${moved} for ${who}.` : 'It hardly changes anything.'),
      !sure && h('span', { class: 'dim' }, ` ${who}’s chance${review.mixing ? ' with all secrets open' : ''}: `, perCent(before) !== perCent(after) && `${perCent(before).replace(/\s*%$/, '')} → `, h('strong', null, perCent(after)))),
    ];
  }

  /** @param {ReviewStep | undefined} step */
  function whatIf(step) {
    if (!step?.options.length || step.reveal) return [];
    return [h('h3', null, 'What if?'), h('p', { class: 'dim' }, sure ? 'Where each move leads with best play. Press one:'
      : `How often ${name(step.player)} wins with best play. Press a move:`),
      worthBars(step.options, { [step.entry]: 'played' }, module.written, chance, (move) => void tryOut(at - 1, move))];
  }

  /** Show how it would have gone on. @param {number} from @param {string} move */
  async function tryOut(from, move) {
    try {
      const line = /** @type {Review} */ (await ask('reviews', { body: { record: review.record, at: from, move } }));
      await open(line, { of: instead?.of ?? review, at: Math.min(from, instead?.at ?? from), move: module.written(move) });
      main.querySelector('h1')?.focus({ preventScroll: true });
    } catch (error) {
      context.tell(errorWords(error));
    }
  }

  /** Step by step to the end, for whoever wants to watch. */
  let watching = 0;
  const stop = () => (clearInterval(watching), (watching = 0), (watch.textContent = '▶ Play it out'));
  const watch = h('button', { class: 'go', onclick: () => {
    if (watching) return stop();
    watch.textContent = 'Stop';
    return void (watching = window.setInterval(() => (at < steps.length ? select(at + 1) : stop()), PACE));
  } }, '▶ Play it out');

  /** Try this move again; after a reveal, play on. @param {ReviewStep | undefined} step */
  function again(step) {
    const goesOn = at === steps.length && review.turn && !step?.mistake;
    const from = step && !step.reveal && !goesOn ? at - 1 : at;
    const seat = steps[from]?.player ?? review.turn;
    if (!seat) return h('div', { hidden: true });
    const usual = levels.some((level) => level.name === kinds[2 - seat]) ? kinds[2 - seat] : 'perfect';
    const play = () => begin(context, { game: review.game, record: review.record, at: from, opponent: retry.querySelector('select')?.value, seat });
    return h('div', { class: 'again' },
      h('button', { class: step?.mistake ? 'go' : 'button', onclick: play }, from === at || step?.entry === 'resign' ? 'Play on from here' : `Try move ${step?.number} again`),
      h('label', null, 'against ', h('select', { 'aria-label': 'against which computer' }, levels.map((level) => h('option', { value: level.name, selected: level.name === usual }, level.name)))));
  }

  /** @param {ReviewStep} step @param {number} index */
  function row(step, index) {
    const luck = step.after - step.before;
    return h('button', { class: step.reveal && 'reveal', onclick: () => select(index + 1) },
      mark(step.reveal ? 0 : step.player),
      h('span', { class: 'words' }, !step.reveal && h('span', { class: 'unseen' }, `Move ${step.number}, ${name(step.player)} `), words(index)),
      // Whom it helped: the sign alone would not say whose luck is meant.
      step.reveal ? h('span', { class: 'verdict' }, !change(luck) ? 'hardly a change' : `luck for ${name(luck > 0 ? 1 : 2)}: ${change(Math.abs(luck))}`) : verdictMark(step.verdict),
      step.loss > ALIKE && step.best.length > 0 && h('small', null, `best: ${either(step.best, module.written)}`),
      index === review.turning_point && h('small', null, '↯ turning point'));
  }

  const status = h('p', { role: 'status' });
  const verify = () => {
    if (!seal) return;
    // The fingerprint that this browser saw first counts: it cannot have been changed later.
    const commitment = (match && keep.match(match).commitment) || seal.commitment;
    const checked = check({ ...seal, commitment }, review.history);
    status.textContent = `${checked.fits ? '✓' : '✗'} ${checked.words}`;
  };
  const address = URL.createObjectURL(new Blob([review.record], { type: 'text/plain' }));
  const part = (/** @type {string} */ area, /** @type {string} */ title, /** @type {(Node | false)[]} */ ...inside) =>
    h('section', { class: `sheet ${area}`, 'aria-label': title }, inside);
  // On a phone what not everybody looks for is opened when it is wanted.
  const roomy = matchMedia('(min-width: 56rem)').matches;
  const fold = (/** @type {string} */ area, /** @type {string} */ title, /** @type {(Node | false)[]} */ ...inside) => part(area, title,
    ...(roomy ? [h('h2', null, title), ...inside] : [h('details', { ontoggle: follow }, h('summary', null, h('h2', null, title)), inside)]));
  const people = kinds.flatMap((kind, seat) => (kind === 'human' ? [/** @type {Seat} */ (seat + 1)] : []));
  const me = (match && keep.match(match).seat) || (people.length === 1 && people[0]) || null;
  const lesson = headline(review, me, sure, module.written);
  if (match && me && outcome && keep.match(match).over) keep.note(match, { key: review.key_moments[me - 1] });
  const jump = (/** @type {number} */ index, /** @type {string} */ words) => h('button', { class: 'button', onclick: () => select(index + 1) }, words);
  const head = instead ? [h('h1', { tabindex: '-1' }, `What if: ${instead.move}?`),
    h('p', null, `Up to step ${instead.at} it is your game; then both play as well as they can${chance ? ', with the numbers that lay there' : ''}. ${outcome ? sentence(result(outcome)) : ''}`),
    buttons(watch, h('button', { class: 'button', onclick: () => back(instead) }, 'Back to the game'))]
    : [h('h1', { tabindex: '-1' }, review.short_title, ' ', h('small', null, ['review', house].filter(Boolean).join(' · '))),
      steps.length > 0 && h('p', { class: 'headline' }, lesson.words),
      h('p', null, outcome ? sentence(result(outcome)) : 'The game is not over yet.'), h('ul', null, side(review, 1), side(review, 2)),
      buttons(lesson.at !== null && lesson.at !== mistake && jump(lesson.at, `Show move ${steps[lesson.at]?.number}`),
        mistake !== null && jump(mistake, 'Show the first mistake'))];
  const back = async (/** @type {Instead} */ from) => {
    context.fragment.set('at', String(from.at + 1));
    await open(from.of, null);
    main.querySelector('h1')?.focus({ preventScroll: true });
  };
  // The picture tells the rest of what luck and skill did.
  const causes = review.luck_and_skill.slice(sure ? 0 : -2).filter(({ code }) => !code.startsWith('sum-'));
  context.title(`${instead ? 'What if' : 'Review'}: ${review.short_title}`);
  main.replaceChildren(h('div', { class: 'review' },
    h('header', { class: instead && 'instead' }, head),
    part('felt look', 'Board', table, h('div', { class: 'walk', role: 'group', 'aria-label': 'Step through the game, also with the arrow keys' }, walk.slice(0, 2), where, walk.slice(2))),
    part('step', 'This step', told, retry),
    part('line', 'Chances', chart.element),
    fold('list', 'All moves', h('ol', { class: 'rows' }, rows.map((button) => h('li', null, button))), chart.table),
    fold('luck', 'Luck and skill', !sure && waterfall(review), ...[...causes, ...review.told].map((one) => h('p', null, tell([one])))),
    fold('share', 'Keep and share', h('div', { class: 'row' }, h('a', { class: 'button', download: `${[fileName(review.game), match].filter(Boolean).join('-')}.nq`, href: address }, 'Download the record'),
      h('button', { class: 'button', onclick: () => copyLink(link(), status) }, 'Copy a link to this position'),
      seal !== null && h('button', { class: 'button', onclick: verify }, chance === 'deck' ? 'Check the deal' : 'Check the draws'), h('a', { class: 'button', href: 'review' }, 'Review another game')), status)));
  // What the headline says is what is seen first.
  select(instead ? instead.at + 1 : wish === null ? (lesson.at ?? steps.length - 1) + 1 : Number(wish) || 0);

  const press = (/** @type {KeyboardEvent} */ event) => {
    const to = /** @type {Record<string, number>} */ ({ ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length })[event.key];
    const typing = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (to === undefined || typing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(to);
  };
  document.addEventListener('keydown', press);
  return () => (stop(), document.removeEventListener('keydown', press), URL.revokeObjectURL(address));
}

/** @param {Review} review @param {Seat} seat */
function side({ names, kinds, key_moments, hints, outcome }, seat) {
  const [kind, [found, of] = [0, 0], asked] = [kinds[seat - 1], key_moments[seat - 1], hints[seat - 1]];
  return h('li', null, mark(seat), h('strong', null, names[seat - 1]), ' ', outcome?.winner === seat && h('span', { class: 'won' }, '✓ won'), ' ',
    h('small', null, [kind !== 'human' && `computer, ${kind}`, of > 0 && `key moments found: ${found} of ${of}`,
      asked && `hints: ${asked}`].filter(Boolean).join(' · ')));
}

/**
 * A review in one sentence: the one thing to take along from a game, and the step that it is about.
 * @param {Review} review
 * @param {Seat | null} me who looks at it, where that is known
 * @param {boolean} sure whether every position is won, lost or drawn for certain
 * @param {(move: string) => string} written
 * @returns {{ words: string, at: number | null }} the step is counted from 0
 */
export function headline({ steps, names, outcome, mixing }, me, sure, written) {
  const worstOf = (/** @type {Seat | null} */ seat) =>
    steps.reduce((/** @type {ReviewStep | null} */ worst, step) =>
      !step.reveal && step.loss >= VISIBLE && (!seat || step.player === seat) && step.loss >= (worst?.loss ?? 0) - ALIKE ? step : worst, null);
  const winner = outcome?.winner ?? null;
  const other = (/** @type {Seat} */ seat) => /** @type {Seat} */ (3 - seat);
  const who = me ?? (winner ? other(winner) : (worstOf(null)?.player ?? 1));
  const called = (/** @type {Seat} */ seat) => (seat === me ? 'You' : (names[seat - 1] ?? ''));
  const worst = worstOf(who) ?? (sure ? worstOf(other(who)) : null);
  if (!worst) {
    if (!outcome) return { words: 'No mistake so far.', at: null };
    if (!sure) return { words: `${called(who)} made no mistake${winner === who ? ', and it was enough' : ': luck decided it'}.`, at: null };
    return { words: winner ? `${called(winner)} could win from the start and never let go.` : 'Neither let the draw go.', at: null };
  }
  const { player, number, best, entry, loss, verdict } = worst;
  const [subject, played] = [called(player), entry === 'resign' ? 'resigning' : written(entry)];
  const instead = best.length ? either(best, written) : 'playing on';
  const [before, after] = [worst.before, worst.after].map((chance) => whole(player === 1 ? chance : 1 - chance));
  const ahead = !sure && !mixing && before > 50 && after <= 50;
  const lead = winner === player ? `${subject} won in spite of move ${number}`
    : verdict === 'win thrown away' ? `${subject} ${subject === 'You' ? 'were' : 'was'} winning until move ${number}`
    : ahead ? `${subject} had better odds until move ${number}`
    : sure ? `${subject} could hold the draw until move ${number}`
    : `${subject === 'You' ? 'Your' : `${subject}’s`} costliest move was move ${number}`;
  const lesson = sure ? `${instead} kept it, ${played} threw it away` : `${instead} was worth ${inPoints(loss)} more than ${played}`;
  return { words: `${lead}: ${lesson}.`, at: steps.indexOf(worst) };
}
