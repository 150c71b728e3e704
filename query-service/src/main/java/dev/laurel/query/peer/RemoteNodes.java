package dev.laurel.query.peer;

import dev.laurel.query.question.Nodes;
import dev.laurel.query.question.Question.OfBoard;
import dev.laurel.query.question.Question.OfUsers;
import dev.laurel.query.question.Question;
import dev.laurel.query.read.NotReadyException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Nodes, asked by a process that is none: any of them, which asks the others if need be. Each question goes to the next one,
 * and to the one after it if that is away. Thread-safe.
 */
public final class RemoteNodes implements Nodes {

    private final List<String> addresses;
    private final PeerClient client;
    private final AtomicInteger turn = new AtomicInteger();

    /** @param addresses host:port of nodes, one at least; not of a gateway, nor of what sends POST to one */
    public RemoteNodes(List<String> addresses, PeerClient client) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("there must be a node to ask");
        }
        this.addresses = List.copyOf(addresses);
        this.client = client;
    }

    @Override
    public <A extends Record> A ask(OfUsers<A> question) {
        return askAny(question);
    }

    @Override
    public <A extends Record> A ask(OfBoard<A> question) {
        return askAny(question);
    }

    private <A extends Record> A askAny(Question<A> question) {
        int first = turn.getAndIncrement();
        String reason = "";
        for (int i = 0; i < Math.min(2, addresses.size()); i++) {
            String node = addresses.get(Math.floorMod(first + i, addresses.size()));
            try {
                return Gathering.ask(client, node, Asked.of(question, null, null), question.answerType(), null,
                        PeerNodes.DEADLINE);
            } catch (PeerAwayException e) {
                reason = e.getMessage();
            }
        }
        throw new NotReadyException(reason);
    }
}
