// The map of a report: sliders for the settings, a map that follows them, and the figures of the rule set they say.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const place = document.getElementById('explorer');
  const { settings, columns, rows, scale, fair, shares, meanings, command, server, classic, start } = data;
  const names = Object.keys(settings);
  const varied = names.filter((name) => settings[name].length > 1);
  if (!varied.length) return;

  const make = (tag, more = {}, ...inside) => {
    const one = document.createElement(tag);
    for (const [name, value] of Object.entries(more)) {
      if (name.startsWith('on')) one.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) one.setAttribute(name, value === true ? '' : value);
    }
    one.append(...inside);
    return one;
  };

  // A rule set by the places of its settings' values.
  const byPlaces = new Map(rows.map((row) => [row.slice(0, names.length).join(), row]));
  const figures = columns.slice(names.length);
  const drawable = figures.filter((name) => name !== 'first' && name !== 'positions');
  const now = Object.fromEntries(names.map((name) => [name, Math.max(0, settings[name].indexOf(start[name]))]));
  const longest = [...varied].sort((a, b) => settings[b].length - settings[a].length);
  let [across, down] = longest;
  let column = 'value';

  const figure = (row, name) => row[names.length + figures.indexOf(name)];
  const rowAt = (places) => byPlaces.get(names.map((name) => places[name]).join());
  const told = (name, value) => {
    if (value === null || value === undefined) return 'not known';
    if (name === 'first') return value;
    if (name === 'positions') return value.toLocaleString('en');
    return shares.includes(name) ? `${Number((100 * value).toPrecision(4))} %` : String(Number(value.toPrecision(4)));
  };

  // Sliders.
  const outputs = {};
  const sliders = {};
  const slider = (name) => {
    const id = `set-${name}`;
    outputs[name] = make('output', { for: id });
    sliders[name] = make('input', {
      id,
      type: 'range',
      min: 0,
      max: settings[name].length - 1,
      step: 1,
      value: now[name],
      oninput: () => {
        now[name] = Number(sliders[name].value);
        show();
      },
    });
    const meaning = make('span', { class: 'faint' }, meanings[name] || '');
    return make(
      'div',
      { class: 'slider' },
      make('label', { for: id }, make('b', {}, name), ' ', meaning),
      sliders[name],
      outputs[name],
    );
  };

  const choice = (words, options, chosen, change) => {
    const select = make('select', { onchange: () => change(select.value) });
    for (const one of options) select.append(make('option', { value: one, selected: one === chosen() }, one));
    return [make('label', {}, `${words} `, select), () => (select.value = chosen())];
  };
  const swap = (set) => (name) => {
    set(name);
    show();
  };
  const [colourBy] = choice(down ? 'Coloured by' : 'Drawn', drawable, () => column, swap((name) => (column = name)));
  const [acrossBy, acrossNow] = choice(
    'Across',
    varied,
    () => across,
    swap((name) => ([across, down] = [name, name === down ? across : down])),
  );
  const [downBy, downNow] =
    varied.length > 1
      ? choice(
          'Down',
          varied,
          () => down,
          swap((name) => ([across, down] = [name === across ? down : across, name])),
        )
      : ['', () => undefined];

  const map = make('div', {
    class: 'map',
    tabindex: 0,
    role: 'application',
    'aria-label': 'Map of the rule sets: the arrow keys go from one to the next',
    'aria-describedby': 'chosen',
    onkeydown: (event) => {
      const step = { ArrowLeft: [across, -1], ArrowRight: [across, 1], ArrowUp: [down, -1], ArrowDown: [down, 1] }[event.key];
      if (!step || !step[0]) return;
      event.preventDefault();
      const [name, by] = step;
      now[name] = Math.min(Math.max(now[name] + by, 0), settings[name].length - 1);
      show();
    },
  });
  const key = make('div', { class: 'legend' });
  const chosen = make('div', { id: 'chosen', class: 'answer', 'aria-live': 'polite' });

  const colours = () => (column === 'value' ? fair : scale);
  const scaleNow = () => ends(rows.map((row) => figure(row, column)), shares.includes(column));
  const choose = (places) => {
    Object.assign(now, places);
    show();
  };

  // Where one setting varies, a line says more than a row of colours.
  const drawLine = () => {
    const [low, high] = scaleNow();
    const xs = settings[across];
    const [left, top, tall] = [58, 14, 180];
    const wide = Math.max((map.clientWidth - left - 16) / xs.length, 9);
    const [bottom, right] = [top + tall, left + xs.length * wide];
    const height = (value) => bottom - (tall * (value - low)) / (high - low);
    const svg = drawn('svg', { width: right + 14, height: bottom + 38, role: 'presentation' });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const value = low + (high - low) * share;
      svg.append(
        drawn('line', { x1: left, x2: right, y1: height(value), y2: height(value), class: share ? 'scale' : 'axis' }),
        lettered(left - 6, height(value) + 4, told(column, value), 'end'),
      );
    }
    const strips = [];
    let before = null;
    xs.forEach((x, i) => {
      const places = { ...now, [across]: i };
      const row = rowAt(places);
      const value = row ? figure(row, column) : null;
      const cx = left + (i + 0.5) * wide;
      // The whole strip can be clicked, also where nothing is known.
      const about = drawn('title', {}, `${across}=${x}: ${told(column, value)}`);
      const strip = drawn('rect', { x: cx - wide / 2, y: top, width: wide, height: tall, fill: 'transparent' }, about);
      strip.addEventListener('click', () => choose(places));
      strips.push(strip);
      const cy = value === null || value === undefined ? null : height(value);
      if (cy !== null && before) svg.append(drawn('line', { x1: before[0], y1: before[1], x2: cx, y2: cy, class: 'along' }));
      before = cy === null ? null : [cx, cy];
      if (cy === null) return;
      const here = i === now[across];
      svg.append(drawn('circle', { cx, cy, r: here ? 7 : 3.5, class: here ? 'dot-here' : 'one' }));
      if (!here) return;
      const label = lettered(cx, cy > top + 24 ? cy - 12 : cy + 22, told(column, value), 'middle');
      label.style.fontWeight = 'bold';
      svg.append(label);
    });
    svg.append(...below(xs, left, wide, bottom + 16), lettered((left + right) / 2, bottom + 33, across, 'middle'), ...strips);
    map.replaceChildren(svg);
    key.replaceChildren(`${column}: ${meanings[column]}`);
  };

  const draw = () => {
    if (!down) {
      drawLine();
      return;
    }
    const [low, high] = scaleNow();
    const at = (x, y) => ({ ...now, [across]: x, [down]: y });
    const value = (x, y) => {
      const row = rowAt(at(x, y));
      return (row && figure(row, column)) ?? null;
    };
    drawMap(map, {
      across: settings[across], down: settings[down], titles: [across, down], here: [now[across], now[down]], scale: colours(),
      figure: (x, y) => { const one = value(x, y); return one === null ? null : (one - low) / (high - low); },
      text: (x, y) => short(column, shares.includes(column), value(x, y)),
      title: (x, y) => `${across}=${settings[across][x]} ${down}=${settings[down][y]}: ${told(column, value(x, y))}`,
      choose: (x, y) => choose(at(x, y)),
    });
    const rest = varied.filter((name) => name !== across && name !== down);
    const fixed = rest.map((name) => `${name}=${settings[name][now[name]]}`).join(' ');
    const sure = rows.some((row) => [0, 1].includes(figure(row, 'value')));
    const certain = column === 'value' && sure ? '; P1, P2: that player wins for certain' : '';
    key.replaceChildren(
      told(column, low),
      legend(colours()),
      make('span', {}, `${told(column, high)}: ${meanings[column]}${certain}; crossed out: not known`),
      ...(fixed ? [make('span', {}, `Here ${fixed}`)] : []),
    );
  };

  const show = () => {
    acrossNow();
    downNow();
    for (const name of varied) {
      sliders[name].value = now[name];
      const value = settings[name][now[name]];
      sliders[name].setAttribute('aria-valuetext', value);
      outputs[name].textContent = value;
    }
    draw();
    const typed = names.map((name) => [name, settings[name][now[name]]]);
    const row = rowAt(now);
    const lines = row
      ? figures.map((name) => make('div', {}, make('dt', {}, name), make('dd', {}, told(name, figure(row, name)) || '-')))
      : [make('div', {}, make('dd', {}, 'There is no such rule set here.'))];
    const changed = typed.filter(([name, value]) => value !== classic[name]);
    const quoted = (one) => (/^[\w.=+-]+$/.test(one) ? one : `'${one.replaceAll("'", `'"'"'`)}'`);
    const words = [command, ...changed.map(([name, value]) => `--set ${quoted(`${name}=${value}`)}`)].join(' ');
    chosen.replaceChildren(
      make('h3', {}, typed.map(([name, value]) => `${name}=${value}`).join(' ')),
      make('dl', {}, ...lines),
      ...(row ? playing(words, changed) : []),
    );
  };

  const playing = (words, changed) => {
    const line = make('p', { class: 'play' }, make('code', {}, words), ' ', copier(words));
    if (!server) return [line];
    const fragment = new URLSearchParams([['game', data.game], ...changed]);
    line.append(' ', make('a', { class: 'button', href: `${server}#${fragment}` }, 'Play this'));
    return [line];
  };
  const copier = (words) => {
    const button = make('button', { type: 'button', onclick: () => copy(button, words) }, 'Copy');
    return button;
  };
  const copy = async (button, words) => {
    try {
      await navigator.clipboard.writeText(words);
      button.textContent = 'Copied';
    } catch {
      const code = button.parentElement.querySelector('code');
      getSelection().selectAllChildren(code);
      button.textContent = 'Now press Ctrl+C';
    }
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
  for (const button of document.querySelectorAll('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button, button.dataset.copy));
  }

  place.append(
    make('h2', {}, 'Try every rule'),
    make('div', { class: 'sliders' }, ...varied.map(slider)),
    make('div', { class: 'choices' }, ...(drawable.length > 1 ? [colourBy] : []), ...(varied.length > 1 ? [acrossBy, downBy] : [])),
    map,
    key,
    make('p', { class: 'faint keys' }, 'Click in the picture, move a slider, or go through it with the arrow keys.'),
    chosen,
  );
  for (const one of document.querySelectorAll('.without-script')) one.remove();
  show();
  addEventListener('resize', draw);
  addEventListener('beforeprint', draw);
})();
