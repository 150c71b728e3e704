package dev.laurel.query.peer;

import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.OwnerMap.Owner;
import dev.laurel.query.locate.Ownership;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.question.Here;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.question.Question.OfBoard;
import dev.laurel.query.question.Question.OfUsers;
import dev.laurel.query.read.NotReadyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * This node and the others. What is here is answered here; what others have is asked of all of them at once, while the own
 * part is worked out. If one is away, the question is not answered, unless the read {@link Staleness may be stale}: then
 * whoever has copies is asked, this node included. Thread-safe.
 */
public final class PeerNodes implements Nodes {

    static final Duration DEADLINE = Duration.ofSeconds(3);
    /** For going through all users. */
    private static final Duration LONG_DEADLINE = Duration.ofSeconds(20);

    private final Here here;
    private final Ownership ownership;
    private final PeerClient client;
    private final Gathering gathering;

    public PeerNodes(Here here, Ownership ownership, PeerClient client) {
        this.here = here;
        this.ownership = ownership;
        this.client = client;
        this.gathering = new Gathering(client);
    }

    @Override
    public <A extends Record> A ask(OfUsers<A> question) {
        LogLayout layout = here.partitions().layout();
        A answer = ask(question, layout);
        here.partitions().expectStill(layout);
        return answer;
    }

    private <A extends Record> A ask(OfUsers<A> question, LogLayout layout) {
        var own = new ArrayList<Integer>();
        Map<String, List<Integer>> ofOthers = new HashMap<>();
        var missing = new ArrayList<Integer>();
        for (int partition : question.partitionsOf(layout).toArray()) {
            if (here.partitions().isHere(partition)) {
                own.add(partition);
                continue;
            }
            String owner = ownership.users().of(partition).active();
            if (owner == null || owner.equals(ownership.self())) {
                missing.add(partition);
            } else {
                ofOthers.computeIfAbsent(owner, _ -> new ArrayList<>()).add(partition);
            }
        }
        if (ofOthers.isEmpty() && missing.isEmpty()) {
            return question.answer(here, own);
        }
        long deadlineNs = System.nanoTime() + DEADLINE.toNanos();
        var parts = new ArrayList<A>();
        missing.addAll(gather(question, layout, ofOthers, own, parts,
                question.goesThroughUsers() ? LONG_DEADLINE : PeerClient.TIMEOUT));
        if (!missing.isEmpty()) {
            fromCopies(question, layout, missing, parts, Duration.ofNanos(deadlineNs - System.nanoTime()));
        }
        return parts.size() == 1 ? parts.getFirst() : question.together(parts);
    }

    private <A extends Record> List<Integer> gather(OfUsers<A> question, LogLayout layout,
            Map<String, List<Integer>> ofOthers, List<Integer> own, List<A> parts, Duration timeout) {
        return gathering.gather(question, layout.partitions(), ofOthers,
                own.isEmpty() ? null : () -> answerHere(question, own), parts,
                timeout);
    }

    /** What moves away at this very moment is no reason to hand on the whole request: that is about something else. */
    private <A extends Record> A answerHere(OfUsers<A> question, List<Integer> partitions) {
        try {
            return question.answer(here, partitions);
        } catch (NotReadyException e) {
            throw e.place() == null ? e : new NotReadyException(e.getMessage());
        }
    }

    private <A extends Record> void fromCopies(OfUsers<A> question, LogLayout layout, List<Integer> missing,
            List<A> parts,
            Duration timeout) {
        boolean mayBeStale = Staleness.current() != null && timeout.isPositive();
        var own = new ArrayList<Integer>();
        Map<String, List<Integer>> ofOthers = new HashMap<>();
        for (int partition : missing) {
            Owner owner = ownership.users().of(partition);
            boolean isHere = owner.standbys().contains(ownership.self()) || ownership.self().equals(owner.active());
            if (!mayBeStale || !isHere && owner.standbys().isEmpty()) {
                throw NotReadyException.ofOthers("partition " + partition + " cannot be read anywhere now");
            }
            if (isHere) {
                own.add(partition);
            } else {
                ofOthers.computeIfAbsent(owner.standbys().getFirst(), _ -> new ArrayList<>()).add(partition);
            }
        }
        List<Integer> nowhere = gather(question, layout, ofOthers, own, parts, timeout);
        if (!nowhere.isEmpty()) {
            throw NotReadyException.ofOthers("partitions " + nowhere + " cannot be read anywhere now");
        }
    }

    @Override
    public <A extends Record> A ask(OfBoard<A> question) {
        int partition = here.boards().layout().partitionOf(question.tenant(), question.board());
        String owner = here.boards().isServed().test(partition) ? null : ownership.boards().of(partition).active();
        try {
            return owner == null || owner.equals(ownership.self())
                    ? here.ask(question)
                    : Gathering.ask(client, owner, Asked.of(question, List.of(partition), null), question.answerType(),
                            null, PeerClient.TIMEOUT);
        } catch (PeerAwayException e) {
            throw new NotReadyException(e.getMessage());
        } catch (NotReadyException e) {
            throw e.place() == null ? e : new NotReadyException(e.getMessage());
        }
    }
}
