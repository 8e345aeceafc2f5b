/* A layer of `fifty`: every pool of one size, from those with one number less.

   `seen` is a pool as the player who has just moved sees it: for each own score a row of bits over the scores of the
   opponent, who is to move now, that say where the mover has won. The words of all rows that are for the same 32 scores of
   the opponent lie together, so that the lanes of a warp, each with an own score, read and write neighbours. */

typedef unsigned int word;

#define ROWS (32 * WORDS)
#define SEEN (WORDS * ROWS)

/* For one own score, against which scores of the opponent the player to move wins: by what any move leads to. */
PART void gather(word *won, const word *below, const int *smaller, const word *effects, int score, int target, int ops)
{
    word always = 0;
    UNROLLED
    for (int at = 0; at < WORDS; at++) won[at] = 0;
    UNROLLED
    for (int number = 0; number < MOST_NUMBERS; number++) {
        if (smaller[number] < 0) continue;
        const word *seen = below + (long long)smaller[number] * SEEN;
        /* A byte for each operation: the score that it leads to; the target stands for a win, what is above for a loss. */
        const word effect = effects[number * ROWS + score];
        UNROLLED
        for (int op = 0; op < 4; op++) {
            if (!(ops >> op & 1)) continue;
            const int to = effect >> 8 * op & 255;
            const word goes_on = to < target ? ~0u : 0;
            const word *row = seen + (to < target ? to : 0);
            if (to == target) always = ~0u;
            UNROLLED
            for (int at = 0; at < WORDS; at++) won[at] |= row[at * ROWS] & goes_on;
        }
    }
    UNROLLED
    for (int at = 0; at < WORDS; at++) won[at] |= always;
}

/* Rows and columns of 32 by 32 bits exchanged: lane l's bit b for lane b's bit l. */
#ifdef __CUDACC__
PART void transpose(word *won)
{
    const int lane = threadIdx.x;
    UNROLLED
    for (int at = 0; at < WORDS; at++) {
        word mine = won[at], mask = 0x0000FFFF;
        UNROLLED
        for (int side = 16; side; side /= 2) {
            const word theirs = __shfl_xor_sync(~0u, mine, side);
            const int upper = !(lane & side);
            const word kept = upper ? mask : ~mask;
            mine = (mine & kept) | (__funnelshift_l(theirs, theirs, upper ? side : 32 - side) & ~kept);
            mask ^= mask << side / 2;
        }
        won[at] = mine;
    }
}
#else
PART void transpose(word (*won)[WORDS])
{
    for (int at = 0; at < WORDS; at++) {
        word turned[32] = {0};
        for (int row = 0; row < 32; row++)
            for (int column = 0; column < 32; column++) turned[column] |= (won[row][at] >> column & 1) << row;
        for (int row = 0; row < 32; row++) won[row][at] = turned[row];
    }
}
#endif

/* `table`, if it is there, takes the finished rows as the solver on the processor writes them, in 64-bit words. */
KERNEL layer(const word *RESTRICT below, word *RESTRICT here, word *RESTRICT table, const int *RESTRICT order,
             const int *RESTRICT place, const word *RESTRICT effects, const int *RESTRICT settings, int first, int pools,
             int high, int room)
{
    const int target = settings[3 * SETTING], ops = settings[3 * SETTING + 1];
    effects += settings[3 * SETTING + 2] * (MOST_NUMBERS * ROWS);
    below += (long long)SETTING * room * SEEN;
    here += (long long)SETTING * room * SEEN;
    EACH_POOL(at, pools) {
        const int pool = order[first + at];
        int smaller[MOST_NUMBERS], counts[MOST_NUMBERS];
        find_smaller(smaller, counts, pool, high, place);
        EACH_WARP(part, WORDS) {
            word OF_LANES(won)[WORDS];
            EACH_LANE {
                const int score = 32 * part + lane;
                gather(OWN(won), below, smaller, effects, score, target, ops);
                if (table && score < target) {
                    const int words = (target + 63) / 64 * 2;
                    word *row = table + ((long long)pool * target + score) * words;
                    UNROLLED
                    for (int w = 0; w < WORDS; w++) {
                        const int bits = target - 32 * w;
                        row[w] = OWN(won)[w] & (bits < 32 ? (1u << bits) - 1 : ~0u);
                    }
                    if (words > WORDS) row[WORDS] = 0;
                }
            }
            transpose(won);
            EACH_LANE {
                word *seen = here + (long long)at * SEEN + part * ROWS;
                UNROLLED
                for (int w = 0; w < WORDS; w++) seen[32 * w + lane] = ~OWN(won)[w];
            }
        }
    }
}

/* Which first moves win: `below` holds the full pool less one number. */
KERNEL first_moves(const word *below, unsigned char *wins, const int *place, const word *effects, const int *settings,
                   int pool, int high, int room)
{
    const int target = settings[3 * SETTING], ops = settings[3 * SETTING + 1];
    int smaller[MOST_NUMBERS], counts[MOST_NUMBERS];
    find_smaller(smaller, counts, pool, high, place);
    effects += settings[3 * SETTING + 2] * (MOST_NUMBERS * ROWS);
    below += (long long)SETTING * room * SEEN;
    wins += SETTING * (MOST_NUMBERS * 4);
    EACH_THREAD(move, high * 4) {
        const int number = move / 4, op = move % 4;
        const int to = effects[number * ROWS] >> 8 * op & 255;
        int slot = -1;
        UNROLLED
        for (int n = 0; n < MOST_NUMBERS; n++) if (n == number) slot = smaller[n];
        /* The opponent still has nothing: the first bit of the row. */
        const word seen = to < target ? below[(long long)slot * SEEN + to] & 1 : to == target;
        wins[move] = (ops >> op & 1) && seen;
    }
}
