// Numbers as people read them, rounded just as Python does (`sentences.py`): page and terminal never say two things.

/** Values closer than this are the same but for the rounding of their last digits. */
export const ALIKE = 1e-9;

/** A number with so many digits behind the point; exact halves go to the even digit. @param {number} value @param {number} [digits] */
export function fixed(value, digits = 0) {
  const text = value.toFixed(digits);
  // Only a binary fraction can lie exactly between two: then `toFixed` goes away from 0, to an odd digit as well.
  if (Math.abs((value * 2 ** (digits + 1)) % 2) !== 1 || Number(text.at(-1)) % 2 === 0) return text;
  return (value - Math.sign(value) * 10 ** -(digits + 1)).toFixed(digits);
}

/** A chance in per cent: `41.23 %`. @param {number} chance */
export const percent = (chance) => `${fixed(100 * chance, 2)} %`;

/** A chance in whole per cent, without the sign. @param {number} chance */
export const whole = (chance) => Number(fixed(100 * chance));

/** A chance in whole per cent; 0 and 100 only where it is certain. @param {number} chance */
export function perCent(chance) {
  if (chance > ALIKE && chance < 0.01) return 'under 1 %';
  if (chance > 0.99 && chance < 1 - ALIKE) return 'over 99 %';
  return `${whole(chance)} %`;
}

/** How far two chances lie apart, in whole points: one point is one game of a hundred. @param {number} difference */
export function inPoints(difference) {
  const points = whole(Math.abs(difference));
  if (Math.abs(difference) > ALIKE && Math.abs(difference) < 0.01) return 'under 1 point';
  return points === 1 ? '1 point' : `${points} points`;
}

/** A change of a chance, with its sign; empty where it is too small to be told. @param {number} by */
export const change = (by) => (whole(by) ? `${by < 0 ? '−' : '+'}${inPoints(whole(by) / 100)}` : '');
