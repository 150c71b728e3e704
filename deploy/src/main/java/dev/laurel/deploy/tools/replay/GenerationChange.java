package dev.laurel.deploy.tools.replay;

import static dev.laurel.deploy.tools.replay.TextReport.counted;
import static dev.laurel.deploy.tools.replay.TextReport.text;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.Progress;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.generation.Condition;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.GenerationResources.Obsolete;
import dev.laurel.processors.generation.Generations;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.AsIf;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The promotion of a generation: it is claimed, filled by a shadow generation, handed to the nodes, and promoted. Any process may
 * continue where another one was killed. Used by one thread.
 */
final class GenerationChange {

    /** Nodes read the new changelogs and follow the log, which takes a while with millions of users. */
    private static final Duration NODES_TIMEOUT = Duration.ofMinutes(30);

    /** Longer than the commit interval of leaderboards, five seconds. */
    private static final Duration FOLLOWED_TIMEOUT = Duration.ofSeconds(8);

    private static final Duration COPY_TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_INTERVAL_MS = 50;

    private final Generations generations;
    private final GenerationTable table;
    private final Map<String, Object> clientConfig;

    GenerationChange(Map<String, Object> clientConfig, GenerationTable table, InstantSource clock) {
        this.generations = new Generations(clientConfig, table, clock);
        this.table = table;
        this.clientConfig = clientConfig;
    }

    /**
     * Claims a generation, unless a process of the replay has.
     *
     * @param draft null: keep the rules
     * @param replay number of the replay that builds it
     * @throws CommandFailed if the draft is not published, or another generation is under way
     */
    void claim(@Nullable CandidateRuleset draft, ReplayPlan plan, int replay) throws InterruptedException {
        expectPublished(draft);
        table.all().values().stream()
                .filter(record -> record.state().isUnderWay())
                .findAny()
                .ifPresent(other -> {
                    throw new CommandFailed(
                            "generation " + other.number() + " is under way already: another replay promotes it,"
                                    + " or was killed; in that case run 'laurel replay --give-up' first");
                });
        List<AsIf> rules = rulesOf(table.inForce(), draft, plan.tenant());
        if (plan.partitions() == 0) {
            generations.claim(rules, replay);
        } else {
            claimWider(rules, plan.partitions(), replay);
        }
    }

    /** @throws CommandFailed if the draft is not published */
    static void expectPublished(@Nullable CandidateRuleset draft) {
        if (draft != null && !draft.isPublished()) {
            throw new CommandFailed("--promote takes only rules that are published: " + draft.name()
                    + " differs from the newest version; run 'laurel ruleset apply " + draft.name() + "' first");
        }
    }

    private void claimWider(List<AsIf> rules, int partitions, int replay) throws InterruptedException {
        try {
            generations.claimWider(rules, partitions, replay);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("--partitions: " + e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw new CommandFailed("no wider log can be made: " + e.getMessage(), e);
        }
    }

    /** Keeps the rules that were promoted for other tenants. */
    private static List<AsIf> rulesOf(GenerationRecord inForce, @Nullable CandidateRuleset draft, TenantId tenant) {
        var rules = new ArrayList<AsIf>(inForce.rules());
        if (draft != null) {
            rules.removeIf(asIf -> asIf.tenant().equals(tenant));
            rules.add(new AsIf(tenant, draft.document().version()));
        }
        return rules;
    }

    /**
     * Ends copying into the logs of generations that have been in force.
     *
     * @return the number of these logs
     * @throws CommandFailed if something is not copied yet
     */
    int endCopying() throws InterruptedException {
        List<GenerationRecord> copied = table.all().values().stream()
                .filter(record -> record.needsCopying() && record.handover() != null)
                .sorted(Comparator.comparingInt(GenerationRecord::number))
                .toList();
        for (GenerationRecord record : copied) {
            try (var progress =
                    new GenerationProgress(clientConfig, record.generation(), record.copiedFrom(), COPY_TIMEOUT)) {
                if (!progress.copier().await(COPY_TIMEOUT)) {
                    throw new CommandFailed("the nodes have not copied all of " + record.copiedFrom() + " within "
                            + COPY_TIMEOUT.toSeconds()
                            + " s; check that they run, and that no producer writes to it any more");
                }
            }
            generations.endCopying(record.number());
        }
        return copied.size();
    }

    /** Abandons the generation of a killed replay. Returns its number, 0 if there is none. */
    int giveUp() throws InterruptedException {
        for (GenerationRecord record : table.all().values()) {
            if (record.state().isUnderWay() && record.hasBeenPromoted()) {
                throw new CommandFailed(
                        "generation " + record.number() + " is promoted and cannot be given up: it is in"
                                + " force as soon as a node has copied its markers; check that the nodes run");
            }
            if (record.state().isUnderWay()) {
                abandon(record);
                return record.number();
            }
        }
        return 0;
    }

    /**
     * Brings the generation into force, from wherever an earlier call may have left it. The shadow must have almost caught up, and is
     * closed: the nodes continue it.
     */
    void putInForce(GenerationRecord record, Progress progress, BooleanSupplier isStopped) throws InterruptedException {
        switch (record.state()) {
            case BUILDING -> {
                generations.awaitNotFolded(record); // Others may have had parts of it.
                promote(record, progress, isStopped);
            }
            case FOLLOWED -> promote(record, progress, isStopped);
            case PROMOTED, IN_FORCE -> {
                // Nothing is left to do but to wait.
            }
            case OVER -> expectNotGivenUp(record);
        }
        awaitInForce(record.number());
    }

    /** @throws CommandFailed if the generation was given up */
    static void expectNotGivenUp(GenerationRecord record) {
        if (record.wasGivenUp()) {
            throw new CommandFailed("generation " + record.number() + " was given up");
        }
    }

    private void promote(GenerationRecord built, Progress progress, BooleanSupplier isStopped)
            throws InterruptedException {
        progress.begin("wait for the nodes to take over", "seconds", NODES_TIMEOUT.toSeconds());
        GenerationRecord record = generations.handToNodes(built);
        generations.markEnds(record);
        long begunNs = System.nanoTime();
        while (!generations.awaitFollowed(record, FOLLOWED_TIMEOUT)) {
            if (isStopped.getAsBoolean()) {
                throw new ReplayPlan.Stopped();
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - begunNs);
            progress.stepTo(waited.toSeconds());
            if (waited.compareTo(NODES_TIMEOUT) > 0) {
                throw new CommandFailed("the nodes have not taken over within " + NODES_TIMEOUT.toMinutes()
                        + " minutes; check that they run. Nothing has changed");
            }
        }
        progress.end();
        generations.promote(record);
    }

    /** Waits until the nodes have copied the markers into a wider log. */
    private void awaitInForce(int number) throws InterruptedException {
        if (!Condition.await(
                COPY_TIMEOUT, POLL_INTERVAL_MS, () -> !table.get(number).state().isUnderWay())) {
            throw new CommandFailed("the nodes have not copied the markers within " + COPY_TIMEOUT.toSeconds()
                    + " s; check that they run. The generation is in force as soon as one has copied them");
        }
    }

    /** Deletes all topics and groups of a generation that has not been promoted. */
    void abandon(GenerationRecord record) throws InterruptedException {
        generations.abandon(record);
    }

    /** Lists topics and groups of former generations. Returns their number. @param deletes whether to delete them too */
    int cleanUp(PrintWriter out, boolean deletes) throws InterruptedException {
        List<Obsolete> found = Obsolete.find(clientConfig, table);
        if (found.isEmpty()) {
            out.println("nothing is left of generations that are over");
        }
        for (Obsolete obsolete : found) {
            if (obsolete.isUsed()) {
                out.println(name(obsolete.generation()) + " is over, but still in use: it is not deleted");
                continue;
            }
            out.println(text(
                    "%s %s: %s", deletes ? "delete" : "would delete", name(obsolete.generation()), counts(obsolete)));
            Stream.concat(
                            obsolete.groups().stream().map("  group "::concat),
                            obsolete.topics().stream().map("  topic "::concat))
                    .forEach(out::println);
            out.flush();
            if (deletes) {
                obsolete.delete(clientConfig);
            }
        }
        if (!deletes && found.stream().anyMatch(obsolete -> !obsolete.isUsed())) {
            out.println("nothing was deleted; --yes does it");
        }
        out.flush();
        return found.size();
    }

    private static String name(Generation generation) {
        return generation.isReport() ? "report " + generation.number() : "generation " + generation.number();
    }

    private static String counts(Obsolete obsolete) {
        return counted(obsolete.groups().size(), "group") + ", "
                + counted(obsolete.topics().size(), "topic");
    }
}
