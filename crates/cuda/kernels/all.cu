// All kernels for one number of words, which the compiler is told as WORDS: what one file of PTX holds.
#include "group.cu"
#include "invert.cu"
#include "single.cu"
