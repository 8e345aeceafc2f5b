/* What the kernels share.

   On a card the threads of a block run side by side, 32 of them in step, as lanes. A C compiler takes this too, and then
   one thread is all of them, one after the other: so the tests run the same lines where there is no card. */

#ifdef __CUDACC__

#define KERNEL extern "C" __global__ void
#define PART static __device__ __forceinline__
#define UNROLLED _Pragma("unroll")
#define SETTING blockIdx.y
/* The pool of the layer that is this thread's to work on, if there are so many. */
#define EACH_POOL(at, pools) const int at = blockIdx.x * blockDim.z + threadIdx.z; if (at < (pools))
#define EACH_WARP(warp, warps) const int warp = threadIdx.y; if (warp < (warps))
#define EACH_THREAD(at, many) for (int at = threadIdx.x; at < (many); at += blockDim.x)
#define EACH_LANE if (const int lane = threadIdx.x; true)
/* A variable of each lane's own, and this lane's. */
#define OF_LANES(variable) variable
#define OWN(variable) variable

#else

#define KERNEL void
#define PART static inline
#define UNROLLED
static int block_x, block_y;
void at_block(int x, int y) { block_x = x; block_y = y; }
#define SETTING block_y
#define EACH_POOL(at, pools) const int at = block_x; if (at < (pools))
#define EACH_WARP(warp, warps) for (int warp = 0; warp < (warps); warp++)
#define EACH_THREAD(at, many) for (int at = 0; at < (many); at++)
#define EACH_LANE for (int lane = 0; lane < 32; lane++)
#define OF_LANES(variable) variable[32]
#define OWN(variable) variable[lane]

#endif

/* What is read through such a pointer is written through no other while the kernel runs. */
#define RESTRICT __restrict__
#define MOST_NUMBERS 9

/* Where each pool with one number less lies in its layer; -1 where the pool does not hold that number. */
PART void find_smaller(int *smaller, int *counts, int pool, int high, const int *place)
{
    int rest = pool, weight = 1;
    UNROLLED
    for (int number = 0; number < MOST_NUMBERS; number++) {
        counts[number] = number < high ? rest % (COPIES + 1) : 0;
        smaller[number] = counts[number] ? place[pool - weight] : -1;
        rest /= COPIES + 1;
        weight *= COPIES + 1;
    }
}
