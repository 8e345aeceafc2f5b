// A recipe is its text, whoever changes it: a form changes one line of it, and leaves all the others as they are.

/** Where a section stands: its first line behind the head, and the line after its last. @param {string[]} lines @param {string} section @returns {[number, number] | null} */
function place(lines, section) {
  const heads = lines.flatMap((line, at) => (/^\s*\[[^\]]+\]\s*(#.*)?$/.test(line) ? [at] : []));
  if (!section) return [0, heads[0] ?? lines.length];
  const head = heads.find((at) => new RegExp(`^\\s*\\[\\s*${section}\\s*\\]`).test(lines[at] ?? ''));
  return head === undefined ? null : [head + 1, heads.find((at) => at > head) ?? lines.length];
}

/** The lines from one on that belong to its value: a text may go over several. @param {string[]} lines @param {number} at */
function long(lines, at) {
  const open = /=\s*("""|''')/.exec(lines[at] ?? '');
  if (!open || (lines[at] ?? '').split(open[1] ?? '').length > 2) return 1;
  return lines.findIndex((line, later) => later > at && line.includes(open[1] ?? '')) - at + 1 || 1;
}

/**
 * The text with another value of a key; null: without it.
 * @param {string} text
 * @param {string} section
 * @param {string} key
 * @param {string | null} value as TOML writes it
 */
export function withKey(text, section, key, value) {
  const lines = text.replace(/\n*$/, '').split('\n');
  const found = place(lines, section);
  const line = value === null ? [] : [`${key} = ${value}`];
  if (!found) return value === null ? text : `${lines.join('\n')}\n\n[${section}]\n${line[0]}\n`.replace(/^\n+/, '');
  const [from, to] = found;
  const at = lines.findIndex((one, n) => n >= from && n < to && new RegExp(`^\\s*${key}\\s*=`).test(one));
  if (at >= 0) lines.splice(at, long(lines, at), ...line);
  else {
    // Before the empty lines that stand at its end.
    let end = to;
    while (end > from && !(lines[end - 1] ?? '').trim()) end--;
    lines.splice(end, 0, ...line);
  }
  return `${lines.join('\n')}\n`;
}

/** A text as TOML writes it. @param {string} value */
const quoted = (value) => JSON.stringify(value).replaceAll('\u007f', '\\u007f');

/**
 * What somebody typed as the value of a key, as TOML writes it; null where it is left out.
 * @param {string} kind
 * @param {string} typed
 */
export function written(kind, typed) {
  const value = typed.trim();
  if (!value) return null;
  if (kind === 'yes' && /^(true|false)$/.test(value)) return value;
  if (kind === 'whole' && /^\d+$/.test(value)) return String(Number(value));
  if (kind === 'wholes' && /^\[?\s*\d/.test(value)) {
    const numbers = value.match(/[\w]+/g) ?? [];
    const several = numbers.map((one) => (/^\d+$/.test(one) ? String(Number(one)) : quoted(one)));
    return several.length > 1 || value.startsWith('[') ? `[${several.join(', ')}]` : (several[0] ?? null);
  }
  return quoted(value);
}

/** A value as it is typed in a field. @param {unknown} value */
export const asTyped = (value) => (value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value));
