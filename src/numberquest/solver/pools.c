/* One backward pass over pools of numbers, for a page that has no NumPy: the same figures as `pool_recurrence.best_play`.

   What the moves do to the scores is not known here: Python writes it down as it asks the rules for it (`effects_at`),
   as it does for a graphics card (kernel.h). Everything lies in the memory that is imported, one part after the other:

   effects   by number, move and score: which score it becomes, or the target plus a code; then whether it is the own one
   order     the pools by their size             place   where a pool is among those of its size
   table     by pool, own score and the other's: a score of distance (int8) where numbers are chosen, a chance (double)
             where they are drawn
   seen      of two layers in turns: what each position is worth to who has just moved there, by that player's score and
             the other's, with three rows more for the codes

   `make wasm` compiles it; pools.wasm is checked in. */

typedef signed char score;
typedef int pool;

#define EXPORT(name) __attribute__((export_name(#name)))
#define ALIGNED(at) (((at) + 15u) & ~15u)
enum { WINS, LOSES, REFUSED, CODES };
enum { WON = 127, MOST_SIZE = 256, MOST_TARGET = 1024 };

extern unsigned char __heap_base;

static int high, copies, target, drawn, moves, cells, rows, size_of_item;
static unsigned number, layer_start[MOST_SIZE + 2];
static int *effects;
static pool *order, *place, weight[MOST_SIZE + 1];
static unsigned char *table, *seen[2];

static unsigned char *reserve(unsigned *at, unsigned bytes) {
    unsigned char *here = (unsigned char *)*at;
    *at = ALIGNED(*at + bytes);
    return here;
}

static int held(pool at, int one) { return at / weight[one] % (copies + 1); }

static int size_of(pool at) {
    int size = 0;
    for (int one = 1; one <= high; one++) size += held(at, one);
    return size;
}

/* How many pools of each size there are, from those with fewer kinds of numbers. */
static void count_layers(void) {
    unsigned ways[MOST_SIZE + 1] = {1}, before[MOST_SIZE + 1];
    int full = high * copies;
    for (int one = 1; one <= high; one++) {
        for (int size = 0; size <= full; size++) before[size] = ways[size];
        for (int size = 0; size <= full; size++) {
            ways[size] = 0;
            for (int many = 0; many <= copies && many <= size; many++) ways[size] += before[size - many];
        }
    }
    layer_start[0] = 0;
    for (int size = 0; size <= full; size++) layer_start[size + 1] = layer_start[size] + ways[size];
}

static unsigned largest_layer(int parity) {
    unsigned most = 0;
    for (int size = parity; size <= high * copies; size += 2) {
        unsigned many = layer_start[size + 1] - layer_start[size];
        if (many > most) most = many;
    }
    return most;
}

/* Where everything lies; how many bytes of memory that takes, or 0 where it is more than can be named. */
EXPORT(layout) double layout(int high_, int copies_, int target_, int drawn_, int moves_) {
    high = high_, copies = copies_, target = target_, drawn = drawn_, moves = moves_;
    cells = target * target, rows = (target + CODES) * target;
    size_of_item = drawn ? sizeof(double) : sizeof(score);
    if (high * copies > MOST_SIZE || target > MOST_TARGET) return 0;
    number = 1;
    for (int one = 1; one <= high; one++) {
        weight[one] = (pool)number;
        if ((double)number * (copies + 1) * cells * size_of_item > 4e9) return 0;
        number *= (unsigned)copies + 1;
    }
    count_layers();
    double bytes = (double)number * (2 * sizeof(pool) + (double)cells * size_of_item);
    for (int parity = 0; parity < 2; parity++) bytes += (double)largest_layer(parity) * rows * size_of_item;
    bytes += (double)high * moves * (target + 1) * sizeof(int) + 65536 * 2;
    if (bytes > 4e9) return 0;
    unsigned at = ALIGNED((unsigned)&__heap_base);
    effects = (int *)reserve(&at, (unsigned)(high * moves * (target + 1)) * sizeof(int));
    order = (pool *)reserve(&at, number * sizeof(pool));
    place = (pool *)reserve(&at, number * sizeof(pool));
    table = reserve(&at, number * (unsigned)(cells * size_of_item));
    for (int parity = 0; parity < 2; parity++)
        seen[parity] = reserve(&at, largest_layer(parity) * (unsigned)(rows * size_of_item));
    return at;
}

EXPORT(effects_at) int *effects_at(void) { return effects; }
EXPORT(table_at) unsigned char *table_at(void) { return table; }

/* What a layer is worth to who has just moved there: turned round, the other way up, and a move further from the end. */
static void see_scores(int size) {
    score *to = (score *)seen[size % 2];
    for (unsigned at = layer_start[size]; at < layer_start[size + 1]; at++, to += rows) {
        const score *from = (const score *)table + (unsigned)order[at] * (unsigned)cells;
        for (int own = 0; own < target; own++)
            for (int other = 0; other < target; other++) {
                int worth = from[own * target + other];
                to[other * target + own] = (score)-(worth - (worth > 0) + (worth < 0));
            }
        for (int other = 0; other < target; other++) {
            to[cells + WINS * target + other] = WON - 1;
            to[cells + LOSES * target + other] = 1 - WON;
            to[cells + REFUSED * target + other] = -WON;
        }
    }
}

static void see_chances(int size) {
    double *to = (double *)seen[size % 2];
    for (unsigned at = layer_start[size]; at < layer_start[size + 1]; at++, to += rows) {
        const double *from = (const double *)table + (unsigned)order[at] * (unsigned)cells;
        for (int own = 0; own < target; own++)
            for (int other = 0; other < target; other++) {
                double worth = 1 - from[own * target + other];
                to[other * target + own] = worth > 0 ? worth : 0;
            }
        for (int other = 0; other < target; other++) {
            to[cells + WINS * target + other] = 1;
            to[cells + LOSES * target + other] = 0;
            to[cells + REFUSED * target + other] = -1;
        }
    }
}

/* The best of a row of `best` and of what a move makes of one own score, for each score of the other. */
#define BETTER(kind)                                                                                                 \
    static inline void better_##kind(kind *restrict best, const kind *restrict after, const int *to, int own) {      \
        if (to[target]) {                                                                                            \
            const kind *restrict row = after + to[own] * target;                                                     \
            for (int other = 0; other < target; other++) best[other] = row[other] > best[other] ? row[other] : best[other]; \
            return;                                                                                                  \
        }                                                                                                            \
        for (int other = 0; other < target; other++) {                                                               \
            kind worth = after[to[other] < target ? own * target + to[other] : to[other] * target];                  \
            if (worth > best[other]) best[other] = worth;                                                            \
        }                                                                                                            \
    }
BETTER(score)
BETTER(double)

static const int *effect(int one, int move) { return effects + ((one - 1) * moves + move) * (target + 1); }

static void choose(pool at, int size) {
    score *known = (score *)table + (unsigned)at * (unsigned)cells;
    for (int cell = 0; cell < cells; cell++) known[cell] = -WON;
    for (int one = 1; one <= high; one++) {
        if (!held(at, one)) continue;
        const score *after = (const score *)seen[(size - 1) % 2] + (unsigned)place[at - weight[one]] * (unsigned)rows;
        for (int move = 0; move < moves; move++)
            for (int own = 0; own < target; own++)
                better_score(known + own * target, after, effect(one, move), own);
    }
}

static void draw(pool at, int size) {
    double *known = (double *)table + (unsigned)at * (unsigned)cells, best[MOST_TARGET];
    for (int cell = 0; cell < cells; cell++) known[cell] = 0;
    for (int one = 1; one <= high; one++) {
        int many = held(at, one);
        if (!many) continue;
        double likely = (double)many / size;
        const double *after = (const double *)seen[(size - 1) % 2] + (unsigned)place[at - weight[one]] * (unsigned)rows;
        for (int own = 0; own < target; own++) {
            for (int other = 0; other < target; other++) best[other] = -1;
            for (int move = 0; move < moves; move++) better_double(best, after, effect(one, move), own);
            for (int other = 0; other < target; other++) known[own * target + other] += best[other] * likely;
        }
    }
}

/* The pools in their order; the effects, and the table's part of the empty pool, have been written. */
EXPORT(begin) void begin(void) {
    unsigned next[MOST_SIZE + 1];
    for (int size = 0; size <= high * copies; size++) next[size] = layer_start[size];
    for (pool at = 0; at < (pool)number; at++) {
        int size = size_of(at);
        place[at] = (pool)(next[size] - layer_start[size]);
        order[next[size]++] = at;
    }
    drawn ? see_chances(0) : see_scores(0);
}

/* Works out the pools of a size, from those of the size below. */
EXPORT(layer) void layer(int size) {
    for (unsigned at = layer_start[size]; at < layer_start[size + 1]; at++)
        drawn ? draw(order[at], size) : choose(order[at], size);
    drawn ? see_chances(size) : see_scores(size);
}
