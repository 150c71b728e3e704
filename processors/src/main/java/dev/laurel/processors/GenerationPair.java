package dev.laurel.processors;

import dev.laurel.processors.replay.GenerationPlace;
import dev.laurel.processors.replay.GenerationTelling;
import dev.laurel.processors.stream.BoardFloorTable;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.topology.Fold;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.RulesetsAsIf;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.AsIf;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.trace.Tracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The two applications of one generation in this process. */
final class GenerationPair implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** What a pair is made of. @param published the rulesets of the time, followed and caught up */
    record Parts(LedgerConfig config, NodeId node, Rulesets published, GenerationTable table, BoardLayout layout,
            InstantSource clock, Tracing tracing, Metrics metrics, Consumer<Throwable> onFault) {}

    private final GenerationRecord record;
    private final GenerationPlace place;
    private final GenerationTelling telling;
    private final BoardFloorTable floors;
    private final Ledger ledger;
    private final Boards boards;

    private GenerationPair(GenerationPair of, Ledger ledger, Boards boards) {
        this.record = of.record;
        this.place = of.place;
        this.telling = of.telling;
        this.floors = of.floors;
        this.ledger = ledger;
        this.boards = boards;
    }

    private GenerationPair(Parts parts, GenerationRecord record) throws InterruptedException {
        this.record = record;
        Generation generation = record.generation();
        Map<String, Object> client = parts.config().clientProperties();
        place = new GenerationPlace(client, generation, PATIENCE);
        telling = new GenerationTelling(parts.table(), generation, client);
        floors = new BoardFloorTable(client, generation, parts.onFault());
        floors.start();
        floors.awaitCaughtUp(PATIENCE);
        boolean isLogCopied = generation.bringsLog() && record.state() != State.IN_FORCE;
        var fold = new Fold(generation, telling, parts.config().isCached(), true, true, isLogCopied,
                parts.tracing());
        ledger = Ledger.of(parts.config(), parts.node(), fold, rulesOf(record, parts.published()), floors,
                parts.layout(), parts.clock(), parts.metrics(), parts.onFault());
        boards = Boards.start(parts.config(), parts.node(), fold, ledger.folded(), ledger.layout(), parts.layout(),
                parts.metrics(), parts.onFault());
    }

    /** Returns at once but for its small tables. */
    static GenerationPair start(Parts parts, GenerationRecord record) throws InterruptedException {
        GenerationPair pair = held(parts, record);
        pair.letGo();
        return pair;
    }

    /** Likewise, but its ledger takes no part in anything before {@link #letGo}. */
    static GenerationPair held(Parts parts, GenerationRecord record) throws InterruptedException {
        return new GenerationPair(parts, record);
    }

    /** Once, and only of one that is held. */
    void letGo() {
        ledger.start();
    }

    /**
     * Lets two generations change places: who holds the ledger and the leaderboards of the one has those of the other.
     *
     * @return the other one, by the names of the first
     */
    GenerationPair become(GenerationPair other) {
        ledger.become(other.ledger);
        boards.become(other.boards);
        return new GenerationPair(other, ledger, boards);
    }

    /** This one, by the names of the other, after they have changed places. */
    GenerationPair movedTo(GenerationPair other) {
        return new GenerationPair(this, other.ledger, other.boards);
    }

    private static Rulesets rulesOf(GenerationRecord record, Rulesets published) throws InterruptedException {
        Rulesets rules = published;
        for (AsIf asIf : record.rules()) {
            Ruleset version = published.await(asIf.tenant(), asIf.version(), PATIENCE);
            if (version == null) {
                throw new IllegalStateException("generation " + record.number() + " goes by ruleset version "
                        + asIf.version() + " of tenant '" + asIf.tenant() + "', which was never published");
            }
            rules = RulesetsAsIf.since(rules, version);
        }
        return rules;
    }

    Generation generation() {
        return record.generation();
    }

    int number() {
        return record.number();
    }

    Ledger ledger() {
        return ledger;
    }

    Boards boards() {
        return boards;
    }

    /** Whether its ledger has come to where the next generation begins, in all partitions. @param ends as below */
    boolean isBehind(List<Long> ends) throws InterruptedException {
        return place.ledger().isBehind(ends);
    }

    /**
     * Whether it has told its last: its ledger has come to where the next generation begins, in all partitions, and its
     * leaderboards have heard all of that and done what was due.
     *
     * @param ends offsets of the markers it ends with
     */
    boolean hasToldAll(List<Long> ends) throws InterruptedException {
        return isBehind(ends) && place.boards().isDone(place.boards().ends()) && isSettled();
    }

    /** Whether its leaderboards here have done what time and rules have made due. */
    boolean isSettled() {
        return boards.isSettled();
    }

    @Override
    public void close() {
        ledger.close();
        boards.close();
        floors.close();
        telling.close();
        place.close();
    }
}
