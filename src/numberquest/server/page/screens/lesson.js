// A game learnt by playing it: a few steps on the real board (lesson/GAME).

import { boardOf, infoOf, sinceMove } from '../boards/boards.js';
import { HOST } from '../host.js';
import { h, renew, row, sentence } from '../parts/dom.js';
import * as keep from '../parts/keep.js';
import { ask } from '../parts/net.js';
import { begin } from '../parts/share.js';
import { teller } from '../parts/words.js';

/** @import { Page } from '../page.d.ts' */
/** @import { Lesson, LessonAnswer, LessonStep, Pair } from '../wire.d.ts' */

/** @type {Page} */
export async function page(main, context) {
  const slug = context.path.slice('lesson/'.length);
  const lesson = /** @type {Lesson} */ (await ask(`lessons?game=${encodeURIComponent(slug)}`));
  const [module, info] = await Promise.all([boardOf(slug), infoOf(context, lesson)]);
  context.title(`Learn ${lesson.short_title}`);
  const last = lesson.steps.length;
  let at = 0;
  /** What was tried in this step. @type {LessonAnswer | null} */
  let tried = null;

  /** @param {LessonStep} step @returns {Pair<string>} */
  const names = ({ player }) => (player === 2 ? ['Opponent', 'You'] : ['You', 'Opponent']);

  /** @param {number} to */
  function turn(to) {
    [at, tried] = [to, null];
    draw();
    main.querySelector('h2')?.focus();
  }

  /** @param {LessonStep} step @param {string} move */
  function attempt(step, move) {
    tried = step.answers.find((one) => one.move === move) ?? null;
    draw();
    if (!tried?.right) return;
    // It takes the place of what was asked, so that nothing moves; a reader hears it with the button.
    context.say(main.querySelector('h2')?.textContent ?? '');
    /** @type {HTMLElement | null} */ (main.querySelector('.go'))?.focus();
  }

  /** @param {LessonStep} step */
  function table(step) {
    const done = tried?.right ? tried : null;
    const history = [...step.history, ...(done?.history ?? [])];
    return h('section', { class: 'sheet felt', 'aria-label': 'Board' },
      module.show({ ...lesson.settings, ...(done?.board ?? step.board) }, {
        moves: done ? [] : step.moves,
        play: (move) => attempt(step, move),
        tell: context.tell,
        turn: step.player,
        names: names(step),
        view: lesson.view,
        ...sinceMove(history),
      }),
    );
  }

  /** @param {LessonStep} step */
  function words(step) {
    const { say } = teller(info, module, lesson.settings, names(step));
    const said = tried && sentence(say(tried.said));
    const on = !step.moves.length || tried?.right;
    return h('section', { class: 'sheet teacher', 'aria-label': 'Lesson' },
      tried?.right ? h('h2', { tabindex: '-1', class: 'good' }, `✓ ${said}`) : h('h2', { tabindex: '-1' }, say(step.said)),
      h('div', { class: 'row' },
        h('button', { class: 'button', 'aria-disabled': at ? null : 'true', onclick: at ? () => turn(at - 1) : null }, 'Back'),
        h('button', { class: on ? 'go' : 'button', 'aria-disabled': on ? null : 'true', onclick: on ? () => turn(at + 1) : null }, 'Go on'),
        h('p', { role: 'status', class: 'bad' }, tried && !tried.right && `✕ ${said}`),
      ),
    );
  }

  function end() {
    const level = keep.get('level', 'easy');
    return h('section', { class: 'sheet teacher', 'aria-label': 'Lesson' },
      h('h2', { tabindex: '-1' }, `Now you know ${lesson.short_title}. Play it!`),
      row(
        h('button', { class: 'go', onclick: () => begin(context, { game: slug, opponent: level }) }, `Play the computer, ${level}`),
        !HOST?.alone && h('button', { class: 'button', onclick: () => begin(context, { game: slug, opponent: 'friend' }) }, 'Play a friend'),
        h('button', { class: 'button', onclick: () => turn(0) }, 'Once more'),
        h('a', { class: 'button', href: './' }, 'To the games'),
      ),
    );
  }

  function draw() {
    const step = lesson.steps[at];
    const fresh = h('div', { class: 'lesson', vars: { '--hue': module.hue } },
      h('div', { class: 'title' },
        h('h1', { tabindex: '-1' }, `Learn ${lesson.short_title}`),
        h('progress', { max: last, value: at, 'aria-label': 'How far you are' }),
        h('span', { class: 'small' }, step ? `Step ${at + 1} of ${last + 1}` : 'Done'),
      ),
      step ? words(step) : end(),
      step && table(step),
    );
    renew(main, fresh);
  }
  draw();
}
