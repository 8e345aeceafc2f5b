// The rules of Sum Quest for the servers in JavaScript; a test plays them beside ours.
const TARGET = 23;

export const start = () => ({ total: 0, barred: 0, player: 0 });

export const over = ({ total, barred }) => total + (barred === 1 ? 2 : 1) > TARGET;

export const allowed = (position, number) =>
  !over(position) && Number.isInteger(number) && number >= 1 && number <= 9 && number !== position.barred;

export const play = ({ total, player }, number) => ({ total: total + number, barred: number, player: 1 - player });

// Who takes the sum past the target has lost; otherwise the last to move has won.
export const winner = (position) => (position.total > TARGET ? position.player : 1 - position.player);
