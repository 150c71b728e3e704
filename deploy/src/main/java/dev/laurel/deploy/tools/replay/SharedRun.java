package dev.laurel.deploy.tools.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.Progress;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.GenerationResources;
import dev.laurel.schemas.ruleset.RewrittenRulesets;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A replay that several processes share. Those with the same id are its members: the first one fixes the inputs, Kafka Streams shares the
 * partitions of the shadow among all, each member compares those that it owns and publishes their parts of the report, and the leader adds
 * them up. Whatever a member has not published is done again by others when it dies. Used by one thread.
 */
final class SharedRun {

    private static final long CHECK_MS = 250;

    private final String id;
    private final ReplayRun.Plan plan;
    private final RunLog.Options options;
    private final Map<String, Object> client;
    private final Generation run;
    private final Progress progress;
    private final BooleanSupplier isStopped;
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    private boolean isContinued;

    /**
     * The end of a run.
     *
     * @param isWriter whether this process has written the files
     */
    record Outcome(RunLog.Entry.Reported report, boolean isWriter) {}

    /**
     * @param id of the run
     * @param options without the draft, which the plan has
     */
    SharedRun(String id, ReplayRun.Plan plan, RunLog.Options options, Progress progress, BooleanSupplier isStopped) {
        this.id = id;
        this.plan = plan;
        this.options = options;
        this.client = plan.kafka().clientProperties();
        this.run = numbered(id);
        this.progress = progress;
        this.isStopped = isStopped;
    }

    /** Returns the generation of a report, whose number follows from the id. */
    private static Generation numbered(String id) {
        var sum = new CRC32();
        sum.update(id.getBytes(UTF_8));
        return Generation.ofReport((int) (sum.getValue() & Integer.MAX_VALUE));
    }

    /** What all members of the run start from. */
    private record Inputs(RunLog.Entry.Begun begun, GenerationRecord inForce, GenerationRecord replayed, Rulesets rules,
            Rulesets replayedRules, @Nullable RulesetDraft draft) {}

    /**
     * Takes part until the run has ended.
     *
     * @param files opens the files of the report, if this process is to write them
     */
    Outcome run(Supplier<ReportFiles> files) throws InterruptedException {
        try (var rulesets = new RulesetTable(client, this::failed);
                var generations = ReplayRun.generations(client, this::failed)) {
            rulesets.start();
            rulesets.awaitCaughtUp(ReplayRun.TIMEOUT);
            try (var resources = new GenerationResources(client, run, ReplayRun.TIMEOUT)) {
                return join(rulesets, generations, resources, files);
            } catch (ReplayRun.Stopped e) {
                throw isContinued
                        ? new CommandFailed("stopped; other processes continue the replay '" + id + "'", e)
                        : e;
            }
        }
    }

    private Outcome join(RulesetTable rulesets, GenerationTable generations, GenerationResources resources,
            Supplier<ReportFiles> files) throws InterruptedException {
        resources.createRun();
        var log = new RunLog(client, run, this::failed);
        boolean isMember = false;
        try (log) {
            log.start();
            log.awaitCaughtUp(ReplayRun.TIMEOUT);
            RunLog.Entry.Begun own = own(rulesets, generations.inForce(), log.begun() == null);
            RunLog.Entry.Begun begun = log.begin(own);
            if (!begun.id().equals(id)) {
                throw new CommandFailed(
                        "--id: the ids '" + id + "' and '" + begun.id() + "' have the same number: choose another one");
            }
            begun.options().expectSame(own.options(), begun);
            isMember = true;
            boolean isWriter = false;
            if (log.ended() == null) {
                try (var membership = new RunMembership(client, run, this::failed).start()) {
                    resources.createRunUsers(plan.partitions() == 0 ? begun.targets().size() : plan.partitions());
                    Inputs inputs = inputs(begun, rulesets, generations, log, membership);
                    isWriter = !log.isHandedOver() && takePart(inputs, generations, log, membership, files);
                    putInForce(generations, log, membership);
                }
            }
            return new Outcome(Objects.requireNonNull(log.reported(), "a run ends after its report"), isWriter);
        } finally {
            isContinued = resources.isUsed();
            if (isMember && !isContinued) { // A process that is refused may not delete what members have left.
                cleanUp(resources, generations, log);
            }
        }
    }

    /** The last member deletes all topics and groups, except what tells members that come later how the run has ended. */
    private void cleanUp(GenerationResources resources, GenerationTable generations, RunLog log)
            throws InterruptedException {
        if (log.ended() != null) {
            resources.deleteAllButRun();
            return;
        }
        RunLog.Entry.Claimed claimed = log.claimed();
        GenerationRecord generation = claimed == null ? null : generations.find(claimed.generation());
        if (generation != null && !generation.hasBeenPromoted()) {
            GenerationChange.of(client, generations, generation.number(), plan.clock()).close();
        }
        resources.delete();
    }

    private void failed(Throwable thrown) {
        fault.compareAndSet(null, thrown);
    }

    /** Returns what begins the run if no other member has begun it. */
    private RunLog.Entry.Begun own(RulesetTable rulesets, GenerationRecord inForce, boolean isFirst)
            throws InterruptedException {
        Ruleset base = rulesets.newest(plan.tenant());
        RulesetDraft draft = plan.draft() == null ? null : plan.draft().basedOn(base, plan.at());
        if (plan.isPromoted() && isFirst) {
            GenerationChange.expectPublished(draft);
        }
        try (var live = new GenerationProgress(client, inForce.generation(), null, ReplayRun.TIMEOUT)) {
            return new RunLog.Entry.Begun(id, draft == null
                    ? options
                    : options.with(new String(Json.write(draft.source()), UTF_8), draft.name()), inForce.number(),
                    base.version(), plan.at(), live.ledger().committed());
        }
    }

    private Inputs inputs(RunLog.Entry.Begun begun, RulesetTable rulesets, GenerationTable generations, RunLog log,
            RunMembership membership) throws InterruptedException {
        GenerationRecord inForce = generations.get(begun.inForce());
        Rulesets rules = ReplayRun.rulesOf(inForce, rulesets);
        RulesetDraft draft = draftOf(begun, rulesets);
        if (!plan.isPromoted()) {
            var report = GenerationRecord.claimed(new Generation(run.number(), inForce.log()), List.of(), null);
            return new Inputs(begun, inForce, report, rules,
                    draft == null ? rules : RewrittenRulesets.always(rules, draft.document()), draft);
        }
        GenerationRecord claimed = generations.get(claimed(generations, draft, log, membership).generation());
        // Nodes continue this fold by the same rules, which do not include later versions.
        return new Inputs(begun, inForce, claimed, rules, ReplayRun.rulesOf(claimed, rulesets), draft);
    }

    private @Nullable RulesetDraft draftOf(RunLog.Entry.Begun begun, RulesetTable rulesets) {
        String document = begun.options().ruleset();
        if (document == null) {
            return null;
        }
        Ruleset base = begun.baseVersion() == 0
                ? Ruleset.empty(plan.tenant())
                : Objects.requireNonNull(rulesets.version(plan.tenant(), begun.baseVersion()), "published before");
        return RulesetDraft.document(String.valueOf(begun.options().rulesetName()),
                Json.read(document.getBytes(UTF_8), RulesetSource.class)).basedOn(base, begun.at());
    }

    /** Returns the number that the leader has claimed for the generation, which it may be itself. */
    private RunLog.Entry.Claimed claimed(GenerationTable generations, @Nullable RulesetDraft draft, RunLog log,
            RunMembership membership) throws InterruptedException {
        while (log.claimed() == null) {
            RunMember.expectRunning(fault, isStopped);
            if (membership.isLeader() && log.awaitNewest(ReplayRun.TIMEOUT) && log.claimed() == null) {
                GenerationChange.claim(client, generations, draft, plan, log);
                log.awaitNewest(ReplayRun.TIMEOUT);
            } else {
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
            }
        }
        generations.awaitNewest(ReplayRun.TIMEOUT);
        return Objects.requireNonNull(log.claimed(), "claimed by somebody");
    }

    /** Takes part until nodes are about to continue the shadow, or nothing is left to do. Returns whether this member has written the report. */
    private boolean takePart(Inputs inputs, GenerationTable generations, RunLog log, RunMembership membership,
            Supplier<ReportFiles> files) throws InterruptedException {
        try (var folder = TemporaryFolder.in(plan.stateDir(), "replay-");
                var member = new RunMember(new RunMember.Setting(plan, run, log, inputs.begun(), inputs.inForce(),
                        inputs.replayed(), inputs.rules(), inputs.replayedRules(), folder.path(), progress, fault,
                        isStopped))) {
            boolean isWriter = false;
            for (int attempt = 0; log.ended() == null && !log.isHandedOver(); attempt++) {
                member.expectRunning();
                expectNotGivenUp(generations, log);
                Map<Integer, Object> open = new HashMap<>(member.shadow().owned());
                open.keySet().removeAll(log.parts().keySet());
                if (attempt == 0) {
                    member.awaitRead();
                } else if (log.parts().size() < member.partitions() && open.isEmpty()) {
                    awaitOthers(member);
                } else if (log.parts().size() < member.partitions()) {
                    try (var comparison = new OwnedComparison(member, open, newFolder(folder, "own-" + attempt))) {
                        comparison.run();
                    }
                } else if (!membership.isLeader()) {
                    TimeUnit.MILLISECONDS.sleep(CHECK_MS);
                } else if (log.reported() == null) {
                    try (ReportFiles of = files.get()) {
                        log.append(new AddedParts(member, inputs.draft()).report(of, hostName(),
                                newFolder(folder, "added-" + attempt)));
                        isWriter = true;
                    }
                } else {
                    boolean isSound = Objects.requireNonNull(log.reported(), "appended").failure() == null;
                    log.append(plan.isPromoted() && isSound ? new RunLog.Entry.HandedOver() : new RunLog.Entry.Ended());
                }
            }
            return isWriter;
        } finally {
            progress.end();
        }
    }

    /** Somebody else may have given up the generation of the run. */
    private static void expectNotGivenUp(GenerationTable generations, RunLog log) {
        RunLog.Entry.Claimed claimed = log.claimed();
        GenerationRecord generation = claimed == null ? null : generations.find(claimed.generation());
        if (generation != null) {
            GenerationChange.expectNotGivenUp(generation);
        }
    }

    /** All members have closed their parts of the shadow, or are about to. The leader lets nodes continue it and promotes it. */
    private void putInForce(GenerationTable generations, RunLog log, RunMembership membership)
            throws InterruptedException {
        while (log.ended() == null) {
            RunMember.expectRunning(fault, isStopped);
            expectNotGivenUp(generations, log);
            if (membership.isLeader()) {
                int number = Objects.requireNonNull(log.claimed(), "claimed before").generation();
                GenerationChange.of(client, generations, number, plan.clock()).putInForce(progress, isStopped);
                log.append(new RunLog.Entry.Ended());
            } else {
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
            }
        }
    }

    private static Path newFolder(TemporaryFolder parent, String name) {
        try {
            return Files.createDirectory(parent.path().resolve(name));
        } catch (IOException e) {
            throw new CommandFailed("cannot create a folder in " + parent.path() + ": " + e.getMessage(), e);
        }
    }

    /** Waits until all partitions are compared, or this member owns another one that is not. */
    private void awaitOthers(RunMember member) throws InterruptedException {
        RunLog log = member.log();
        progress.begin("wait for the other processes", "partitions", member.partitions());
        while (log.parts().size() < member.partitions()
                && log.parts().keySet().containsAll(member.shadow().owned().keySet())) {
            member.expectRunning();
            progress.stepTo(log.parts().size());
            TimeUnit.MILLISECONDS.sleep(CHECK_MS);
        }
        progress.end();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "another host";
        }
    }
}
