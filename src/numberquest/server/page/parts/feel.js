// What is heard and felt of a game: a tap for a move, a rising one for what is uncovered, a fanfare for a win.

import * as keep from './keep.js';

/** @typedef {'move' | 'reveal' | 'win' | 'over'} Happening */

/** How each sounds: notes in hertz, one after the other. @type {Record<Happening, number[]>} */
const NOTES = { move: [330], reveal: [440, 587], win: [523, 659, 784, 1047], over: [392, 330] };
/** How each feels: milliseconds on and off. @type {Record<Happening, number[]>} */
const TAPS = { move: [12], reveal: [8, 40, 16], win: [30, 60, 30, 60, 120], over: [40] };
/** From one note to the next, in seconds. */
const STEP = 0.11;
/** @type {AudioContext | null} */
let audio = null;

/** @param {Happening} happening */
export function feel(happening) {
  // Browsers let a page vibrate only after somebody has touched it.
  if (vibrates() && navigator.userActivation?.hasBeenActive) navigator.vibrate(TAPS[happening]);
  if (keep.get('sound', false)) sound(NOTES[happening]);
}

/** Whether this device can, and nobody minds. */
const vibrates = () => 'vibrate' in navigator && keep.get('vibration', !matchMedia('(prefers-reduced-motion: reduce)').matches);

/** @param {number[]} notes */
function sound(notes) {
  audio ??= new AudioContext();
  void audio.resume();
  notes.forEach((pitch, at) => {
    if (!audio) return;
    const start = audio.currentTime + at * STEP;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.type = 'triangle';
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.18, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.25);
  });
}
