/* A layer of `mystic`: every pile of one size, from those with one number less.

   For both totals, what a pile is worth to the player who has just played: one less the chance of the one who draws next.
   Totals stand by player, not by whose turn it is, so that nothing need be turned from layer to layer. The operations are
   those of the solver on the processor in the same order, so the last digit is the same; the compiler must not fuse any. */

#define TOTALS 64

PART double larger(double one, double other)
{
    return one > other ? one : other;
}

/* What a total leads to: another total, the target for a certain win, what is above for nothing. */
PART double led_to(const double *worth, int to, int step, int target)
{
    return to < target ? worth[to * step] : to == target ? 1.0 : 0.0;
}

/* `table`, if it is there, takes the chances as the solver on the processor writes them; `starts` that of two empty totals. */
KERNEL layer(const double *RESTRICT below, double *RESTRICT here, double *RESTRICT table, const int *RESTRICT order,
             const int *RESTRICT place, const unsigned int *RESTRICT effects, const int *RESTRICT settings, int first,
             int pools, int high, int mover, int room, const double *RESTRICT shares, double *RESTRICT starts)
{
    const int target = settings[2 * SETTING], cells = target * target;
    effects += settings[2 * SETTING + 1] * (MOST_NUMBERS * TOTALS);
    below += (long long)SETTING * room;
    here += (long long)SETTING * room;
    EACH_POOL(at, pools) {
        const int pool = order[first + at];
        int smaller[MOST_NUMBERS], counts[MOST_NUMBERS];
        find_smaller(smaller, counts, pool, high, place);
        const int own_step = mover ? 1 : target, other_step = mover ? target : 1;
        EACH_THREAD(cell, cells) {
            const int mine = mover ? cell % target : cell / target, yours = mover ? cell / target : cell % target;
            double chance = 0;
            UNROLLED
            for (int number = 0; number < MOST_NUMBERS; number++) {
                if (smaller[number] < 0) continue;
                const double *worth = below + (long long)smaller[number] * cells;
                /* A byte each: two actions on the own total, one on the opponent's. */
                const unsigned int own = effects[number * TOTALS + mine], other = effects[number * TOTALS + yours];
                /* Rounding may bring a worth below 0, and then nothing at all is better, as on the processor. */
                double best = larger(0, led_to(worth + mine * own_step, other >> 16 & 255, other_step, target));
                best = larger(best, led_to(worth + yours * other_step, own & 255, own_step, target));
                best = larger(best, led_to(worth + yours * other_step, own >> 8 & 255, own_step, target));
                chance += best * shares[counts[number]];
            }
            here[(long long)at * cells + cell] = 1 - chance;
            if (table) table[(long long)pool * cells + mine * target + yours] = chance;
            if (starts && cell == 0) starts[SETTING] = chance;
        }
    }
}
