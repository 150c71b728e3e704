package dev.laurel.processors.simulation;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Reply;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Executes steps on the real topology with its stores, and lets checks read them. */
final class World implements AutoCloseable {

    /** The maximum number of consecutive ticks of one time. More would mean that they never end. */
    private static final int MAX_TICKS = 2000;

    /**
     * The result of a step.
     *
     * @param reply null: no client waited
     */
    record Turn(Step step, Reply reply, List<JsonNode> effects, List<Outgoing> outgoing, List<String> rejections) {}

    private final Published published = new Published();
    private final Set<String> holds = new HashSet<>();
    private final List<String> effects = new ArrayList<>();
    private final List<String> outgoing = new ArrayList<>();
    private final List<String> rejections = new ArrayList<>();
    private LedgerDriver ledger = new LedgerDriver(published);

    /** The edited ruleset, to which the leaderboards are added at the publication. */
    private Ruleset rules = Ruleset.empty(TenantId.NONE);

    private Instant publishedAt = Instant.MIN;
    private Instant now = Instant.MIN;

    /** Executes a step. */
    Turn play(Step step) {
        now = step.at().isAfter(now) ? step.at() : now;
        Reply reply = switch (step) {
            case Step.Send send -> send(send);
            case Step.Publish(Instant at, String source) -> publish(at, source);
            case Step.Ticks(Instant at) -> tick(at);
            case Step.Hold(Instant at, String name) -> hold(at, name);
            case Step.Release(Instant at, String name) -> release(at, name);
            case Step.Restart _ -> restart();
        };
        return turn(step, reply);
    }

    private Turn turn(Step step, Reply reply) {
        List<JsonNode> told = ledger.effects();
        List<String> refused = ledger.rejections().stream()
                .map(r -> r.get("reason").asString())
                .toList();
        told.forEach(effect -> effects.add(effect.toString()));
        List<Outgoing> leaving = ledger.outbox();
        leaving.forEach(one -> outgoing.add(one.toString().replace(one.id().toString(), "")));
        rejections.addAll(refused);
        return new Turn(step, reply, told, leaving, refused);
    }

    private Reply send(Step.Send send) {
        if (!send.asks()) {
            ledger.produce(send.user(), send.json(), send.at().toString());
            return null;
        }
        Reply reply = ledger.ask(send.user(), send.json(), send.at().toString());
        if (reply == null) {
            throw new AssertionError("no answer: to " + send.line());
        }
        return reply;
    }

    private Reply publish(Instant at, String source) {
        var edit = TestRulesets.source(source);
        if (RulesetEditor.apply(rules, edit, at) instanceof RulesetEditor.Result.Changed(Ruleset changed)) {
            rules = changed;
            publishedAt = at;
            ledger.publish(published.add(SimulationLeaderboards.on(changed)), at.toString());
        }
        return null;
    }

    private Reply tick(Instant at) {
        for (int i = 0; i < MAX_TICKS; i++) {
            if (!ledger.tick(at.toString())) {
                return null;
            }
        }
        throw new AssertionError("ticks never end: more is due after " + MAX_TICKS + " of them at " + at);
    }

    private Reply hold(Instant at, String name) {
        ledger.mark(new TimersHeld(name), at.toString());
        holds.add(name);
        return null;
    }

    private Reply release(Instant at, String name) {
        ledger.mark(new TimersReleased(name), at.toString());
        holds.remove(name);
        return null;
    }

    private Reply restart() {
        var before = ledger.contents();
        ledger = ledger.restarted();
        Checks.equal("a restart lost something", before, ledger.contents(), "stores");
        return null;
    }

    /** Replays the log in another world. */
    World refolded() {
        var other = new World();
        for (long version = 1; version <= rules.version(); version++) {
            other.published.add(published.version(TenantId.NONE, version));
        }
        other.rules = rules;
        other.ledger.assume(rules);
        for (Logged record : ledger.log()) {
            other.ledger.pipe(record);
            other.ledger.replies();
        }
        other.turn(null, null);
        return other;
    }

    LedgerDriver ledger() {
        return ledger;
    }

    /** Every effect so far, as JSON. */
    List<String> effects() {
        return effects;
    }

    /** The content of the outbox so far, without ids, which are derived from offsets. */
    List<String> outgoing() {
        return outgoing;
    }

    /** The reason of every rejection so far. */
    List<String> rejections() {
        return rejections;
    }

    CompiledRuleset rules() {
        return ledger.rules(TenantId.NONE);
    }

    /** The time of the newest ruleset. */
    Instant publishedAt() {
        return publishedAt;
    }

    /** The newest time of any step. */
    Instant now() {
        return now;
    }

    boolean isHeld() {
        return !holds.isEmpty();
    }

    /** The stored state of a user; null if there is no such user. */
    UserState state(UserKey user) {
        return ledger.reader().user(user.bytes());
    }

    UserHistory history(UserKey user) {
        return ledger.reader().historyOf(user.bytes(), ledger::rulesOfVersion);
    }

    /** The state of a user by a read at that moment. */
    UserEngine.Advanced advance(UserKey user, UserState state, Instant at) {
        return UserEngine.advance(user, state, rules(), history(user), at.toEpochMilli());
    }

    /** The user of a step, if it concerns a single one. */
    static UserKey userOf(Step step) {
        return step instanceof Step.Send send ? UserKey.of(send.user()) : null;
    }

    @Override
    public void close() {
        ledger.close();
    }
}
