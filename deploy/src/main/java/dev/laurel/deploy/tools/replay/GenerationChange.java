package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.processors.replay.GenerationPlace;
import dev.laurel.processors.replay.Promotion;
import dev.laurel.processors.replay.Shadow;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.AsIf;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationTable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A generation that is to come into force: claimed, filled by a shadow, handed to the nodes, promoted. Closed before it is in force,
 * it is given up, and nothing of it is left. One thread.
 */
final class GenerationChange implements AutoCloseable {

    /** Nodes read the changelogs that were made and follow the log; with millions of users that takes a while. */
    private static final Duration NODES_PATIENCE = Duration.ofMinutes(30);

    /** Leaderboards commit every five seconds: whoever looks for a shorter time under load depends on luck. */
    private static final Duration LOOK = Duration.ofSeconds(8);
    private static final Duration COPY_PATIENCE = Duration.ofSeconds(60);
    private static final long TURN_CHECK_MS = 50;

    private final Promotion promotion;
    private final GenerationTable table;
    private GenerationRecord record;
    private boolean isDone;

    private GenerationChange(Promotion promotion, GenerationTable table, GenerationRecord record) {
        this.promotion = promotion;
        this.table = table;
        this.record = record;
    }

    /**
     * @param draft null: the rules stay as they are
     * @throws CommandFailed if the draft is not published, or another generation is under way
     */
    static GenerationChange claim(Map<String, Object> clientConfig, GenerationTable table, Draft draft,
            ReplayPlan plan) throws InterruptedException {
        if (draft != null && !draft.isPublished()) {
            throw new CommandFailed("--promote takes only rules that are published: " + draft.file()
                    + " is not what the newest version says; first 'laurel ruleset apply " + draft.file() + "'");
        }
        table.all().values().stream().filter(GenerationChange::isUnderWay).findAny().ifPresent(other -> {
            throw new CommandFailed(
                    "generation " + other.number() + " is under way already: another replay promotes it,"
                            + " or was killed; in that case 'laurel replay --give-up' comes first");
        });
        var promotion = new Promotion(clientConfig, table, plan.clock());
        List<AsIf> rules = rulesOf(table.inForce(), draft, plan.tenant());
        return new GenerationChange(promotion, table,
                plan.partitions() == 0 ? promotion.claim(rules) : claimWider(promotion, rules, plan.partitions()));
    }

    private static GenerationRecord claimWider(Promotion promotion, List<AsIf> rules, int partitions)
            throws InterruptedException {
        try {
            return promotion.claimWider(rules, partitions);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("--partitions: " + e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new CommandFailed("no wider log can be made: " + e.getMessage(), e);
        }
    }

    /** The log that is copied into a wider one; null: it stays the same. */
    String copiedFrom() {
        return record.copiedFrom();
    }

    /** What was promoted before for other tenants stays. */
    private static List<AsIf> rulesOf(GenerationRecord inForce, Draft draft, TenantId tenant) {
        var rules = new ArrayList<AsIf>(inForce.rules());
        if (draft != null) {
            rules.removeIf(asIf -> asIf.tenant().equals(tenant));
            rules.add(new AsIf(tenant, draft.document().version()));
        }
        return rules;
    }

    private static boolean isUnderWay(GenerationRecord record) {
        return record.state() == State.BUILDING || record.state() == State.FOLLOWED
                || record.state() == State.PROMOTED;
    }

    /**
     * Ends copying into logs of generations that have been in force.
     *
     * @return how many those are
     * @throws CommandFailed if something is not copied yet
     */
    static int endCopying(Map<String, Object> clientConfig, GenerationTable table) throws InterruptedException {
        var promotion = new Promotion(clientConfig, table, InstantSource.system());
        List<GenerationRecord> copied = table.all().values().stream()
                .filter(record -> record.needsCopying() && record.handover() != null)
                .sorted(Comparator.comparingInt(GenerationRecord::number)).toList();
        for (GenerationRecord record : copied) {
            try (var place = new GenerationPlace(clientConfig, record.generation(), record.copiedFrom(),
                    COPY_PATIENCE)) {
                if (!place.copier().await(COPY_PATIENCE)) {
                    throw new CommandFailed("what is in " + record.copiedFrom() + " has not been copied within "
                            + COPY_PATIENCE.toSeconds()
                            + " s; do the nodes run, and does nobody write to it any more?");
                }
            }
            promotion.endCopying(record.number());
        }
        return copied.size();
    }

    /** Gives up what a killed replay has left half-way. @return its number, 0 if there is nothing */
    static int giveUp(Map<String, Object> clientConfig, GenerationTable table) throws InterruptedException {
        for (GenerationRecord record : table.all().values()) {
            if (isUnderWay(record) && record.hasBeenPromoted()) {
                throw new CommandFailed(
                        "generation " + record.number() + " is promoted and cannot be given up: it comes"
                                + " into force as soon as a node has copied its markers; do the nodes run?");
            }
            if (isUnderWay(record)) {
                new Promotion(clientConfig, table, InstantSource.system()).abandon(record);
                return record.number();
            }
        }
        return 0;
    }

    GenerationRecord record() {
        return record;
    }

    Generation generation() {
        return record.generation();
    }

    /**
     * Puts it in force.
     *
     * @param shadow has about caught up; it is closed here, and the nodes go on from where it has come to
     */
    void putInForce(Shadow shadow, ReplayProgress progress, BooleanSupplier isStopped) throws InterruptedException {
        shadow.close();
        progress.begin("wait for the nodes to take over", "seconds", NODES_PATIENCE.toSeconds());
        record = promotion.handToNodes(record);
        promotion.markEnds(record);
        long begunNs = System.nanoTime();
        while (!isFollowed()) {
            if (isStopped.getAsBoolean()) {
                throw new Stopped();
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - begunNs);
            progress.stepTo(waited.toSeconds());
            if (waited.compareTo(NODES_PATIENCE) > 0) {
                throw new CommandFailed("the nodes have not taken over within " + NODES_PATIENCE.toMinutes()
                        + " minutes; are they running? Nothing has changed");
            }
        }
        progress.end();
        promotion.promote(record);
        isDone = true;
        awaitInForce();
    }

    /** A wider log gets its markers from the nodes. */
    private void awaitInForce() throws InterruptedException {
        long deadlineNs = System.nanoTime() + COPY_PATIENCE.toNanos();
        while (table.find(record.number()).state() != State.IN_FORCE
                && table.find(record.number()).state() != State.OVER) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new CommandFailed("the nodes have not copied the markers within " + COPY_PATIENCE.toSeconds()
                        + " s; are they running? It comes into force as soon as one does");
            }
            TimeUnit.MILLISECONDS.sleep(TURN_CHECK_MS);
        }
    }

    private boolean isFollowed() throws InterruptedException {
        return promotion.awaitFollowed(record, LOOK);
    }

    @Override
    public void close() {
        if (isDone) {
            return;
        }
        try {
            promotion.abandon(record);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before generation " + record.number() + " was given up", e);
        }
    }
}
