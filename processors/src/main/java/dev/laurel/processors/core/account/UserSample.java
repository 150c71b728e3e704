package dev.laurel.processors.core.account;

import dev.laurel.schemas.key.UserId;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;

/**
 * Some of the users of a tenant, who stand for all of them: those whose ids have the smallest hashes. So who is in it depends
 * on who there is and on nothing else, and the samples of several partitions make one of all. With no more users than it has
 * room for, it is all of them. Not thread-safe.
 */
public final class UserSample {

    /** With so many, a percentile is two percent off on average at the worst place, in the middle. */
    public static final int ROOM = 512;

    private record Member(long hash, UserId user) implements Comparable<Member> {

        static Member of(UserId user) {
            return new Member(hashOf(user.value()), user);
        }

        @Override
        public int compareTo(Member other) {
            int byHash = Long.compareUnsigned(hash, other.hash);
            return byHash != 0 ? byHash : user.value().compareTo(other.user.value());
        }
    }

    private final int room;
    private final TreeSet<Member> members = new TreeSet<>();

    /** All users before it are members, none from it on is; null while everybody is one. */
    private Member end;

    public UserSample() {
        this(ROOM);
    }

    UserSample(int room) {
        this.room = room;
    }

    /** A sample that is known. @param end the first user who is none of them, see {@link #end} */
    public static UserSample of(Collection<UserId> users, UserId end) {
        var sample = new UserSample();
        users.forEach(sample::offer);
        sample.end = end == null ? null : Member.of(end);
        return sample;
    }

    /** There is this user: told once or more. */
    public void offer(UserId user) {
        take(Member.of(user));
    }

    private void take(Member member) {
        if (end == null || member.compareTo(end) < 0) {
            members.add(member);
            if (members.size() > room) {
                end = members.pollLast();
            }
        }
    }

    /** There is no such user any more. Who would follow is not known here, so the sample gets smaller. */
    public void remove(UserId user) {
        members.remove(Member.of(user));
    }

    /** Whether it has lost so many that one made anew would be much better. */
    public boolean isThin() {
        return end != null && members.size() < room / 2;
    }

    /** Whether it is all users there are. */
    public boolean isEverybody() {
        return end == null;
    }

    /** All users before this one, in the order of their hashes, are members, none from it on is; null if it is everybody. */
    public UserId end() {
        return end == null ? null : end.user;
    }

    /** Becomes a sample of both. @param other of other users */
    public void add(UserSample other) {
        if (other.end != null && (end == null || other.end.compareTo(end) < 0)) {
            end = other.end;
            members.tailSet(end, true).clear();
        }
        Iterator<Member> more = other.members.iterator();
        while (more.hasNext()) {
            Member member = more.next();
            if (end != null && member.compareTo(end) >= 0) {
                return;
            }
            take(member);
        }
    }

    /** In the order of their hashes. */
    public List<UserId> users() {
        return members.stream().map(Member::user).toList();
    }

    /** FNV-1a over the characters, then the finish of MurmurHash3, since ids often differ in their last digits only. */
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
