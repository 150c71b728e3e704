package dev.laurel.deploy.bench;

/** Chance that is the same in every run: a number's bits, mixed as in SplitMix64 (Steele, Lea, Flood 2014). */
final class Mix {

    private Mix() {}

    static long of(long number) {
        long mixed = number + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** From 0 to {@code bound - 1}. @param salt another one for each question asked about the same number */
    static long below(long bound, long number, long salt) {
        return Long.remainderUnsigned(of(number ^ of(salt)), bound);
    }
}
