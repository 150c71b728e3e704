package dev.laurel.deploy.tools.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.tools.replay.ReplayLog.Entry;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.Progress;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.platform.kafka.TableFolder;
import dev.laurel.processors.generation.GenerationResources;
import dev.laurel.processors.generation.Generations;
import dev.laurel.processors.runtime.GroupMember;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Rulesets.RulesetOverlay;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Runs a replay: reads the log again beside the live state, compares both, and promotes the result if requested. The processes with the
 * same id are its members: the first one fixes the inputs, Kafka Streams shares the partitions of the shadow among all, each member
 * compares those that it owns and publishes their parts of the report, and the leader adds them up. Whatever a member has not published is
 * done again by others when it dies. A process without an id is the only member. Leaves nothing else behind. Used by one thread.
 */
final class ReplayJob {

    private static final long CHECK_MS = 250;

    private final ReplayPlan plan;
    private final Map<String, Object> client;
    private final Progress progress;
    private final BooleanSupplier isStopped;
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();

    ReplayJob(ReplayPlan plan, Progress progress, BooleanSupplier isStopped) {
        this.plan = plan;
        this.client = plan.kafka().clientProperties();
        this.progress = progress;
        this.isStopped = isStopped;
    }

    /**
     * Takes part until the replay has ended.
     *
     * @param files receive the report, if this process is to write it
     * @param onReported receives the report before anything is promoted; its exception ends the replay
     */
    void run(Supplier<ReportFiles> files, Consumer<MergedReport.Outcome> onReported) throws InterruptedException {
        ReplayPlan.Sharing sharing = plan.sharing();
        Generation number = Generation.ofReport(
                sharing == null ? new SecureRandom().nextInt() & Integer.MAX_VALUE : sharing.number());
        try (var tables = TableFolder.temporaryIn(plan.stateDir());
                var rulesets = new RulesetTable(Topics.RULESETS, client, tables, this::failed);
                var generations = generations();
                var resources = new GenerationResources(client, number, ReplayPlan.TIMEOUT)) {
            rulesets.start();
            rulesets.awaitCaughtUp(ReplayPlan.TIMEOUT);
            new Membership(number, rulesets, generations, resources).run(files, onReported);
        }
    }

    /** A change of generations that needs no replay. */
    interface Change<T> {

        T apply(GenerationChange generations) throws InterruptedException;
    }

    <T> T change(Change<T> change) throws InterruptedException {
        try (var generations = generations()) {
            return change.apply(changeOf(generations));
        }
    }

    private GenerationChange changeOf(GenerationTable generations) {
        return new GenerationChange(client, generations, plan.clock());
    }

    /** Returns the generations; the caller closes them. */
    private GenerationTable generations() throws InterruptedException {
        var generations = new GenerationTable(client, this::failed);
        try {
            generations.start();
            generations.awaitCaughtUp(ReplayPlan.TIMEOUT);
            return generations;
        } catch (RuntimeException | InterruptedException e) {
            generations.close();
            throw e;
        }
    }

    private void failed(Throwable thrown) {
        fault.compareAndSet(null, thrown);
    }

    private void expectRunning() {
        if (isStopped.getAsBoolean()) {
            throw new ReplayPlan.Stopped();
        }
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new CommandFailed("the replay has failed: " + thrown.getMessage(), thrown);
        }
    }

    /** The membership of this process in the replay of a number. */
    private final class Membership {

        private final Generation replay;
        private final RulesetTable rulesets;
        private final GenerationTable generations;
        private final GenerationResources resources;

        Membership(
                Generation replay, RulesetTable rulesets, GenerationTable generations, GenerationResources resources) {
            this.replay = replay;
            this.rulesets = rulesets;
            this.generations = generations;
            this.resources = resources;
        }

        void run(Supplier<ReportFiles> files, Consumer<MergedReport.Outcome> onReported) throws InterruptedException {
            Entry.Begun own = own(generations.inForce());
            resources.createReplayTopic();
            boolean isMember = false;
            boolean isContinued = false;
            var log = new ReplayLog(client, replay, ReplayJob.this::failed);
            try (log) {
                log.start();
                log.awaitCaughtUp(ReplayPlan.TIMEOUT);
                isMember = log.begun() == null; // A process that is refused may not delete what members have left.
                Entry.Begun begun = log.begin(own);
                if (!begun.id().equals(own.id())) {
                    throw new CommandFailed("--id: the ids '" + own.id() + "' and '" + begun.id()
                            + "' have the same number: choose another one");
                }
                begun.expectSame(own.options());
                isMember = true;
                takePart(begun, log, files, onReported);
            } catch (ReplayPlan.Stopped e) {
                isContinued = plan.sharing() != null && resources.isUsed();
                throw isContinued
                        ? new CommandFailed("stopped; other processes continue the replay '" + own.id() + "'", e)
                        : e;
            } finally {
                if (isMember && !isContinued && !resources.isUsed()) {
                    cleanUp(log);
                }
            }
        }

        /** Returns what begins the replay if no other member has begun it. */
        private Entry.Begun own(GenerationRecord inForce) {
            Ruleset base = rulesets.newest(plan.tenant());
            CandidateRuleset draft = plan.draft() == null ? null : plan.draft().basedOn(base, plan.at());
            ReplayPlan.Sharing sharing = plan.sharing();
            if (plan.isPromoted() && sharing == null) {
                GenerationChange.expectPublished(draft);
            }
            byte[] document = draft == null ? new byte[0] : Json.write(draft.source());
            var options = new LinkedHashMap<String, String>();
            options.put("--ruleset", UUID.nameUUIDFromBytes(document).toString());
            options.putAll(sharing == null ? Map.of() : sharing.options());
            return new Entry.Begun(
                    sharing == null ? "" : sharing.id(),
                    options,
                    new String(document, UTF_8),
                    draft == null ? "" : draft.name(),
                    inForce.number(),
                    generations.nextNumber(),
                    base.version(),
                    plan.at());
        }

        private void takePart(
                Entry.Begun begun,
                ReplayLog log,
                Supplier<ReportFiles> files,
                Consumer<MergedReport.Outcome> onReported)
                throws InterruptedException {
            try (var leader = new Leadership(replay)) {
                MergedReport.Outcome own =
                        log.reported() == null ? fold(inputs(begun, leader), log, leader, files) : null;
                Entry.Reported reported = requireNonNull(log.reported(), "a replay ends with its report");
                onReported.accept(own == null ? new MergedReport.Outcome(reported, reported.text(), null) : own);
                if (reported.failure() != null) {
                    throw new CommandFailed(reported.failure());
                }
                if (plan.isPromoted()) {
                    putInForce(begun, leader);
                }
            }
        }

        private ReplayMember.Inputs inputs(Entry.Begun begun, Leadership leader) throws InterruptedException {
            GenerationRecord inForce = generations.get(begun.inForce());
            Rulesets rules = Generations.rulesOf(inForce, rulesets);
            CandidateRuleset draft = draftOf(begun);
            if (!plan.isPromoted()) {
                var report = GenerationRecord.claimed(new Generation(replay.number(), inForce.log()), List.of(), null);
                return new ReplayMember.Inputs(
                        begun,
                        inForce,
                        report,
                        rules,
                        draft == null ? rules : RulesetOverlay.always(rules, draft.document()),
                        draft);
            }
            GenerationRecord claimed = claimed(begun, draft, leader);
            // Nodes continue this fold by the same rules, which do not include later versions.
            return new ReplayMember.Inputs(
                    begun, inForce, claimed, rules, Generations.rulesOf(claimed, rulesets), draft);
        }

        private @Nullable CandidateRuleset draftOf(Entry.Begun begun) {
            if (begun.draft().isEmpty()) {
                return null;
            }
            Ruleset base = begun.baseVersion() == 0
                    ? Ruleset.empty(plan.tenant())
                    : requireNonNull(rulesets.version(plan.tenant(), begun.baseVersion()), "published before");
            return CandidateRuleset.document(
                            begun.rules(), Json.read(begun.draft().getBytes(UTF_8), RulesetSource.class))
                    .basedOn(base, begun.at());
        }

        /** Returns the generation that this replay builds; null if no member has claimed it. */
        private @Nullable GenerationRecord built(Entry.Begun begun) throws InterruptedException {
            generations.awaitNewest(ReplayPlan.TIMEOUT);
            return generations.all().values().stream()
                    .filter(record ->
                            record.number() >= begun.next() && Objects.equals(record.replay(), replay.number()))
                    .findFirst()
                    .orElse(null);
        }

        /** Returns the generation that the leader has claimed, which this member may be itself. */
        private GenerationRecord claimed(Entry.Begun begun, @Nullable CandidateRuleset draft, Leadership leader)
                throws InterruptedException {
            GenerationRecord built = built(begun);
            while (built == null) {
                expectRunning();
                if (leader.isLeader) {
                    changeOf(generations).claim(draft, plan, replay.number());
                } else {
                    TimeUnit.MILLISECONDS.sleep(CHECK_MS);
                }
                built = built(begun);
            }
            GenerationChange.expectNotGivenUp(built);
            return built;
        }

        /** Takes part until there is a report. Returns null if another member has added it up. */
        private MergedReport.@Nullable Outcome fold(
                ReplayMember.Inputs inputs, ReplayLog log, Leadership leader, Supplier<ReportFiles> files)
                throws InterruptedException {
            try (var folder = TemporaryFolder.in(plan.stateDir(), "replay-");
                    var member = ReplayMember.start(
                            plan,
                            inputs,
                            log,
                            folder.path(),
                            progress,
                            ReplayJob.this::failed,
                            () -> expectWanted(inputs.replayed()),
                            isStopped)) {
                member.awaitRead();
                MergedReport.Outcome own = null;
                for (int attempt = 0; log.reported() == null; attempt++) {
                    member.expectRunning();
                    Map<Integer, Object> open = new HashMap<>(member.shadow().owned());
                    open.keySet().removeAll(log.parts().keySet());
                    boolean isCompared = log.parts().size() == member.partitions();
                    if (!isCompared && open.isEmpty()) {
                        awaitOthers(member);
                    } else if (!isCompared) {
                        try (var comparison = new MemberComparison(member, open, newFolder(folder, "own-" + attempt))) {
                            comparison.run();
                        }
                    } else if (leader.isLeader) {
                        own = new MergedReport(member).report(files.get(), newFolder(folder, "added-" + attempt));
                        log.append(own.reported());
                    } else {
                        TimeUnit.MILLISECONDS.sleep(CHECK_MS);
                    }
                }
                return own;
            } finally {
                progress.end();
            }
        }

        /** Somebody else may have given up the generation. */
        private void expectWanted(GenerationRecord built) {
            expectRunning();
            GenerationRecord now = generations.find(built.number());
            if (now != null) {
                GenerationChange.expectNotGivenUp(now);
            }
        }

        /** Waits until all partitions are compared, or this member owns another one that is not. */
        private void awaitOthers(ReplayMember member) throws InterruptedException {
            ReplayLog log = member.log();
            progress.begin("wait for the other processes", "partitions", member.partitions());
            while (log.parts().size() < member.partitions()
                    && log.parts().keySet().containsAll(member.shadow().owned().keySet())) {
                member.expectRunning();
                progress.stepTo(log.parts().size());
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
            }
            progress.end();
        }

        /** All members have closed their parts of the shadow, or are about to. The leader lets nodes continue it and promotes it. */
        private void putInForce(Entry.Begun begun, Leadership leader) throws InterruptedException {
            GenerationRecord built = requireNonNull(built(begun), "claimed before");
            while (built.state().isUnderWay()) {
                expectWanted(built);
                if (leader.isLeader) {
                    changeOf(generations).putInForce(built, progress, isStopped);
                } else {
                    TimeUnit.MILLISECONDS.sleep(CHECK_MS);
                }
                built = generations.get(built.number());
            }
            GenerationChange.expectNotGivenUp(built);
        }

        /** The last member deletes all topics and groups, except what tells members that come later how the replay has ended. */
        private void cleanUp(ReplayLog log) throws InterruptedException {
            Entry.Begun begun = log.begun();
            GenerationRecord built = begun == null || !plan.isPromoted() ? null : built(begun);
            boolean isPromoted = built != null && built.hasBeenPromoted();
            if (built != null && !isPromoted) {
                changeOf(generations).abandon(built);
            }
            Entry.Reported reported = log.reported();
            boolean isEnded = reported != null && (reported.failure() != null || !plan.isPromoted() || isPromoted);
            if (isEnded && plan.sharing() != null) {
                resources.deleteAllButReplayTopic(log.reportedAt());
            } else {
                resources.delete();
            }
        }
    }

    private static Path newFolder(TemporaryFolder parent, String name) {
        return CommandFailed.attempt(
                "cannot create a folder in " + parent.path(),
                () -> Files.createDirectory(parent.path().resolve(name)));
    }

    /**
     * Whether this member leads: it is assigned the only partition of the topic of the replay. A member that joins does not take it over. A
     * member reads nothing and commits nothing by this. A suspended one believes for some seconds to be the leader still, so
     * whatever a leader does may be done twice.
     */
    private final class Leadership implements ConsumerRebalanceListener, AutoCloseable {

        private static final Duration POLL = Duration.ofMillis(500);

        private final String topic;
        private final GroupMember member;
        private volatile boolean isLeader;
        private @Nullable KafkaConsumer<byte[], byte[]> consumer;

        /** Joins the group, which also shows that the replay is in use. */
        Leadership(Generation replay) {
            topic = replay.replayTopic();
            member = new GroupMember(
                    "replay-member",
                    client,
                    Map.of(
                            ConsumerConfig.GROUP_ID_CONFIG,
                            replay.replayGroup(),
                            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                            "classic",
                            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                            List.of(CooperativeStickyAssignor.class.getName())),
                    this::serve,
                    ReplayJob.this::failed);
            member.start();
        }

        private void serve(KafkaConsumer<byte[], byte[]> joined) {
            isLeader = false;
            consumer = joined;
            joined.subscribe(List.of(topic), this);
            while (!member.isClosing()) {
                joined.poll(POLL);
            }
        }

        /** Pauses what is assigned, so that nothing is fetched. */
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> added) {
            requireNonNull(consumer, "subscribed").pause(added);
            isLeader |= !added.isEmpty();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            isLeader &= revoked.isEmpty();
        }

        /** Leaves the group. */
        @Override
        public void close() {
            member.close();
        }
    }
}
