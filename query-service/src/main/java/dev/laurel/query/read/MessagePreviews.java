package dev.laurel.query.read;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Notice;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.delivery.message.MessageRenderer;
import dev.laurel.delivery.message.MessageRenderer.Rendered;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.TestMessage;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.MessageBody;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Renders a template for a user, or for an example user who does not exist. The core computes the values of the template as for
 * the test message of an operator. Nothing is stored or sent. Thread-safe.
 */
public record MessagePreviews(UserPartitions partitions, RulesetVersions rulesets, InstantSource clock) {

    /** The unsubscribe link of a preview: only a sent message contains a token. */
    private static final String NO_LINK = "#";

    /**
     * Renders for a user, who must have an address.
     *
     * @param variation 0 for the text of the template, 1 and up for its variations
     * @throws NotReadyException while this node cannot read the user, or the newest rules are not known
     */
    public Rendered forUser(UserKey user, UUID template, int variation) {
        byte[] key = user.bytes();
        return new FreshRulesetRetry(rulesets)
                .read(
                        user.tenant(),
                        rules -> preview(
                                rules,
                                template,
                                variation,
                                (test, context) -> partitions.readUser(
                                        key,
                                        (state, reader) -> UserEngine.apply(
                                                state,
                                                rules,
                                                test,
                                                context,
                                                reader.historyOf(
                                                        key, version -> rulesets.get(user.tenant(), version)))),
                                user));
    }

    /** Renders for an example user, who was just created and has both addresses. */
    public Rendered forExampleUser(TenantId tenant, UUID template, int variation) {
        return new FreshRulesetRetry(rulesets).read(tenant, rules -> {
            var history = new NoHistory(rulesets, tenant);
            return preview(
                    rules,
                    template,
                    variation,
                    (test, context) ->
                            UserEngine.apply(exampleUser(rules, context, history), rules, test, context, history),
                    new UserKey(tenant, new UserId("swimmer-77")));
        });
    }

    private static UserState exampleUser(CompiledRuleset rules, CommandContext context, UserHistory history) {
        var user = new UserChange(
                context.user().user(),
                Change.set("ida@example.net"),
                Change.set("Ida Laine"),
                Change.set(ZoneOffset.UTC),
                Change.set(List.of("token")),
                Change.keep(),
                Change.keep(),
                Map.of());
        return switch (UserEngine.apply(null, rules, new IdentifyUser(user, false), context, history)) {
            case Outcome.Applied applied -> applied.state();
            case Outcome other -> throw new IllegalStateException("the example user was not created: " + other);
        };
    }

    /** Applies the test message to a user. */
    private interface Application {
        Outcome apply(TestMessage test, CommandContext context);
    }

    private Rendered preview(CompiledRuleset rules, UUID id, int variation, Application application, UserKey user) {
        Template template = rules.messages().template(id);
        if (template == null) {
            throw new Refused(Refusal.unknownTemplate());
        }
        int last = template.variations().size();
        if (variation > last) {
            throw Refused.because("variation must be a whole number from 0 to " + last + ".");
        }
        var test = new TestMessage(UserChange.mention(user.user()), id);
        return switch (application.apply(test, CommandContext.ofRead(user, clock.millis()))) {
            case Outcome.Notified notified
            when notified.notices().getFirst() instanceof Notice.ForUser notice ->
                rendered(rules.document(), template, variation, notice.body());
            case Outcome.Refused(Refusal refusal) -> throw new Refused(refusal);
            case Outcome other -> throw new IllegalStateException("a test message ended with " + other);
        };
    }

    private static Rendered rendered(Ruleset rules, Template template, int variation, MessageBody body) {
        Template.Text text =
                variation == 0 ? template.text() : template.variations().get(variation - 1);
        return switch (MessageRenderer.of(
                template.channel(),
                text,
                plain(body),
                rules.notifications().sender(),
                rules.settings().branding(),
                NO_LINK)) {
            case Rendered.Refused(String reason) -> throw Refused.because(reason);
            case Rendered rendered -> rendered;
        };
    }

    private static Map<String, Object> plain(MessageBody body) {
        var plain = new LinkedHashMap<String, Object>();
        ((Map<?, ?>) Json.plain(body)).forEach((name, value) -> plain.put((String) name, value));
        return plain;
    }

    /** The history of a new user. */
    record NoHistory(RulesetVersions rulesets, TenantId tenant) implements UserHistory {

        @Override
        public @Nullable DayBucket day(int number, int day) {
            return null;
        }

        @Override
        public List<Day> days(int number, int first, int last) {
            return List.of();
        }

        @Override
        public long activeDays(int block) {
            return 0;
        }

        @Override
        public @Nullable StreakBlock streakBlock(StreakFrequency frequency, int block) {
            return null;
        }

        @Override
        public List<Award> ledgerPage(int system, int page) {
            return List.of();
        }

        @Override
        public @Nullable LeaderboardState boardRun(int board, int run) {
            return null;
        }

        @Override
        public @Nullable UUID eventWith(int metric, String idempotencyKey) {
            return null;
        }

        @Override
        public CompiledRuleset rules(long version) {
            return rulesets.published(tenant, version);
        }
    }
}
