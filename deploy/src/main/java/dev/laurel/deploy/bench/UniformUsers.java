package dev.laurel.deploy.bench;

/**
 * Spreads events over users uniformly and repeatably: the same event number is the same user in every run and for
 * every subject.
 */
public record UniformUsers(int count) {

    public UniformUsers {
        if (count < 1) {
            throw new IllegalArgumentException("A benchmark needs at least one user");
        }
    }

    /** From 0 to {@code count - 1}. Mixed as in SplitMix64 (Steele, Lea, Flood 2014), so neighbours do not follow each other. */
    public long userOf(long event) {
        long mixed = event + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return Long.remainderUnsigned(mixed ^ (mixed >>> 31), count);
    }
}
