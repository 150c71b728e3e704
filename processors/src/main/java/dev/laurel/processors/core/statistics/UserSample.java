package dev.laurel.processors.core.statistics;

import dev.laurel.schemas.key.UserId;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A sample of the users of a tenant: those whose ids have the smallest hashes. The sample depends only on the set of users, so
 * that samples of several partitions can be merged. It contains all users up to its capacity. Not thread-safe.
 */
public final class UserSample {

    /** The capacity with which the average error of a percentile is two percent at most. */
    public static final int CAPACITY = 512;

    private record Member(long hash, UserId user) implements Comparable<Member> {

        static Member of(UserId user) {
            return new Member(hashOf(user.value()), user);
        }

        @Override
        public int compareTo(Member other) {
            int byHash = Long.compareUnsigned(hash, other.hash);
            return byHash != 0 ? byHash : user.compareTo(other.user);
        }
    }

    private final int capacity;
    private final TreeSet<Member> members = new TreeSet<>();

    /** The members are the users before this one; null: all users are members. */
    private @Nullable Member end;

    public UserSample() {
        this(CAPACITY);
    }

    UserSample(int capacity) {
        this.capacity = capacity;
    }

    /** A sample with these members. @param end see {@link #end} */
    public static UserSample of(Collection<UserId> users, @Nullable UserId end) {
        var sample = new UserSample();
        users.forEach(sample::offer);
        sample.end = end == null ? null : Member.of(end);
        return sample;
    }

    /** Offers a user, perhaps repeatedly. */
    public void offer(UserId user) {
        take(Member.of(user));
    }

    private void take(Member member) {
        if (end == null || member.compareTo(end) < 0) {
            members.add(member);
            if (members.size() > capacity) {
                end = members.pollLast();
            }
        }
    }

    /** Removes a user. The sample shrinks, since the next user is not known. */
    public void remove(UserId user) {
        members.remove(Member.of(user));
    }

    /** Whether the sample has lost so many members that it should be rebuilt. */
    public boolean hasShrunk() {
        return end != null && members.size() < capacity / 2;
    }

    /** The first user, in the order of hashes, who is not a member; null: all users are members. */
    public @Nullable UserId end() {
        return end == null ? null : end.user;
    }

    /** Merges a sample of other users. */
    public void add(UserSample other) {
        if (other.end != null && (end == null || other.end.compareTo(end) < 0)) {
            end = other.end;
            members.tailSet(end, true).clear();
        }
        for (Member member : other.members) {
            if (end != null && member.compareTo(end) >= 0) {
                return;
            }
            take(member);
        }
    }

    /** The members in the order of their hashes. */
    public List<UserId> users() {
        return members.stream().map(Member::user).toList();
    }

    /** FNV-1a over the characters, then the finalizer of MurmurHash3, since ids often differ only in their last digits. */
    private static long hashOf(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
