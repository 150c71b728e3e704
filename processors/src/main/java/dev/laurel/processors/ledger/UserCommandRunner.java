package dev.laurel.processors.ledger;

import dev.laurel.core.analytics.CounterUpdater.Step;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.KeyEditor;
import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.core.engine.KeyEditor.KeyOutcome;
import dev.laurel.core.engine.Notice;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.ledger.LedgerMeters.End;
import dev.laurel.processors.store.users.IssuedKeys;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.schemas.command.Command.ChangeOwnedBoost;
import dev.laurel.schemas.command.Command.DeleteOwnedPause;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.KeyCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.RevokeOwnedBoost;
import dev.laurel.schemas.command.Command.RevokeOwnedKey;
import dev.laurel.schemas.command.Command.RunFinished;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.UserResourceIds;
import dev.laurel.schemas.wire.KeyBody.KeysNotRevokedBody;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands and timers of users: reads the user, lets the core decide, writes the stores and sends the output. The state of a
 * user is read once and written once. One task, one thread.
 */
record UserCommandRunner(
        UserStores users,
        UserStateWriter writer,
        IssuedKeys keys,
        PartitionRulesets rulesets,
        LeaderboardClock clock,
        LogCursor cursor,
        LedgerOutput output,
        LedgerMeters meters)
        implements TimerSweeper.Waker {

    /** Finds the owner, and runs the command for that user. */
    void run(Record<byte[], byte[]> record, OwnedCommand command) {
        Kind kind = switch (command) {
            case DeleteOwnedPause _ -> Kind.PAUSE;
            case ChangeOwnedBoost _, RevokeOwnedBoost _ -> Kind.BOOST;
            case RevokeOwnedKey _ -> Kind.KEY;
        };
        byte[] key = writer.ownerOf(kind, command.tenant(), command.id());
        if (key == null) {
            output.refuse(
                    record,
                    switch (kind) {
                        case PAUSE -> Refusal.unknownPause();
                        case BOOST -> Refusal.unknownBoost();
                        case KEY -> Refusal.unknownApplicationKey();
                    });
            return;
        }
        UserKey user = UserKey.parse(key);
        run(record, key, user, command.of(UserChange.mention(user.user())));
    }

    /** @param key of the user, as bytes */
    void run(Record<byte[], byte[]> record, byte[] key, UserKey user, UserCommand command) {
        switch (command) {
            case KeyCommand ofKeys -> change(record, user, ofKeys);
            case EraseUser erasure when !mayErase(record, user, erasure) -> {
                // Refused.
            }
            case UserCommand other -> apply(record, key, user, other);
        }
    }

    /** Changes the list of a user's application keys. */
    private void change(Record<byte[], byte[]> record, UserKey user, KeyCommand command) {
        if (!UserResourceIds.isOf(user, command.keyId())) {
            output.refuse(record, Refusal.invalid("keyId " + command.keyId() + " is no id for a key of this user."));
            return;
        }
        switch (KeyEditor.apply(keys.of(user), command, record.timestamp())) {
            case KeyOutcome.Refused(Refusal refusal) -> output.refuse(record, refusal);
            case KeyOutcome.Changed changed -> {
                meters.count(End.CHANGE);
                changed.removed().forEach(key -> keys.remove(user, key));
                if (changed.added() != null) {
                    keys.add(user, changed.added());
                }
                output.answerDone(record);
            }
        }
    }

    /**
     * Refuses the erasure of a user if the command does not name all application keys of the user as revoked: the others would stay
     * valid, and no list would show them.
     */
    private boolean mayErase(Record<byte[], byte[]> record, UserKey user, EraseUser erasure) {
        List<UUID> left = keys.of(user).stream()
                .map(IssuedKey::id)
                .filter(id -> !erasure.revokedKeys().contains(id))
                .toList();
        if (!left.isEmpty()) {
            Refusal refusal = Refusal.invalid("The user has " + left.size()
                    + " application keys that are not revoked. Erase the user through the admin API, which revokes"
                    + " them first.");
            output.refuse(record, refusal, new KeysNotRevokedBody(refusal.message(), left));
        }
        return left.isEmpty();
    }

    /** @return whether there were any */
    private boolean removeKeys(UserKey user) {
        List<IssuedKey> all = keys.of(user);
        all.forEach(key -> keys.remove(user, key));
        return !all.isEmpty();
    }

    private void apply(Record<byte[], byte[]> record, byte[] key, UserKey user, UserCommand command) {
        CompiledRuleset rules = rulesets.inForce(user.tenant());
        CommandContext at = contextOf(user, record.timestamp());
        UserState before = users.load(key);
        UserHistory history = historyOf(key, user.tenant());
        ReplyTo replyTo = output.replyTo(record);
        switch (UserEngine.apply(before, rules, command, at, history)) {
            case Outcome.Refused(Refusal refusal) -> {
                boolean hadKeysOnly = command instanceof EraseUser && removeKeys(user);
                // A participant may have been erased since the run became final, which is no fault.
                if (hadKeysOnly || command instanceof RunFinished) {
                    output.answerDone(record);
                } else {
                    output.refuse(record, refusal);
                }
            }
            case Outcome.Repeated(UserState state, List<Score> made, Outcome.Answer answer) -> {
                meters.count(End.REPEATED);
                List<String> awaited =
                        output.scores().send(made, state, rules.version(), at, ranksFor(replyTo, answer));
                output.answer(replyTo, at, rules, state, history, answer, true, awaited);
            }
            case Outcome.Applied applied -> {
                meters.count(command instanceof RecordEvent ? End.EVENT : End.CHANGE);
                writer.apply(
                        user.tenant(),
                        key,
                        stepOf(user.tenant(), rules, before, command, applied),
                        applied,
                        record.timestamp());
                output.sendEffects(key, applied.effects(), record.timestamp());
                sendNotices(key, applied.notices(), rules, at);
                List<String> awaited = output.scores()
                        .send(
                                applied.scores(),
                                applied.state(),
                                rules.version(),
                                at,
                                ranksFor(replyTo, applied.answer()));
                if (command instanceof SetPreferences && before != null) {
                    output.scores().show(before, applied.state(), at);
                }
                output.answer(replyTo, at, rules, applied.state(), history, applied.answer(), false, awaited);
            }
            case Outcome.Notified(UserState state, List<Notice> notices, Outcome.Answer answer) -> {
                meters.count(End.CHANGE);
                sendNotices(key, notices, rules, at);
                output.answer(replyTo, at, rules, state, history, answer, false, List.of());
            }
            case Outcome.Erased(UserState last, List<Effect> effects) -> {
                meters.count(End.CHANGE);
                Map<Integer, List<LeaderboardState>> runs = users.boardRuns(key, last);
                writer.erase(user.tenant(), key, rulesOf(user.tenant(), rules, last), last);
                removeKeys(user);
                output.sendEffects(key, effects, record.timestamp());
                output.sendErased(key, at);
                output.scores().forget(last, runs, rules, at);
                output.answer(replyTo, at, rules, last, history, new Outcome.Done(), false, List.of());
            }
        }
    }

    private void sendNotices(byte[] key, List<Notice> notices, CompiledRuleset rules, CommandContext at) {
        output.sendNotices(key, notices, rules, at);
        writer.countMessages(notices, rules, at);
    }

    private Step stepOf(
            TenantId tenant,
            CompiledRuleset rules,
            @Nullable UserState before,
            UserCommand command,
            Outcome.Applied applied) {
        return new Step(
                rules,
                before == null ? null : rulesOf(tenant, rules, before),
                before,
                applied.state(),
                applied.effects(),
                applied.completed(),
                applied.event(),
                command instanceof RestoreStreak);
    }

    /** The rules to which a user was brought, or such that are like them. @param inForce the present ones */
    private CompiledRuleset rulesOf(TenantId tenant, CompiledRuleset inForce, UserState user) {
        return inForce.like(user.rulesVersion(), version -> rulesets.published(tenant, version));
    }

    /** Only the answer to an event shows ranks. */
    private static @Nullable ReplyTo ranksFor(@Nullable ReplyTo replyTo, Outcome.Answer answer) {
        return answer instanceof Outcome.EventResult ? replyTo : null;
    }

    private CommandContext contextOf(UserKey user, long atMs) {
        return new CommandContext(user, atMs, cursor.partition(), cursor.offset(), cursor.origin(), clock.nowMs());
    }

    private UserHistory historyOf(byte[] key, TenantId tenant) {
        return users.historyOf(key, version -> rulesets.published(tenant, version));
    }

    @Override
    public int wake(byte[] key, UserState before, long tickMs) {
        UserKey user = UserKey.parse(key);
        CompiledRuleset rules = rulesets.inForce(user.tenant());
        CommandContext at = contextOf(user, tickMs);
        var woken = UserEngine.wake(before, rules, at, historyOf(key, user.tenant()), TimerSweeper.MAX_MOMENTS);
        writer.save(
                user.tenant(),
                key,
                new Step(
                        rules,
                        rulesOf(user.tenant(), rules, before),
                        before,
                        woken.state(),
                        woken.effects(),
                        woken.completed(),
                        null,
                        false),
                woken.writes());
        output.sendEffects(key, woken.effects(), tickMs);
        sendNotices(key, woken.notices(), rules, at);
        if (!woken.scores().isEmpty()) {
            output.scores().send(woken.scores(), woken.state(), rules.version(), at, null);
        }
        return 1
                + woken.writes().size()
                + woken.effects().size()
                + woken.notices().size()
                + woken.scores().size();
    }

    @Override
    public boolean isBehind(byte[] key, UserState state) {
        return state.rulesVersion()
                < rulesets.inForce(UserKey.parse(key).tenant()).version();
    }
}
