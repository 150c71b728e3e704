package dev.laurel.query.read;

import dev.laurel.processors.core.notice.Notice;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.CommandContext;
import dev.laurel.processors.core.user.Outcome;
import dev.laurel.processors.core.user.UserEngine;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.delivery.message.Rendered;
import dev.laurel.processors.delivery.message.Rendering;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.Partitions;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.command.Change;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.TestMessage;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.MessageBody;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a template would say, to a user or to one who is made up: the core makes the facts as for a message that an operator
 * sends to try it, and nothing is kept or sent. Thread-safe; knows no HTTP.
 */
public final class MessagePreviews {

    /** Only a message that is sent has the proof that a link out of the list needs. */
    private static final String NOWHERE = "#";

    private final Partitions partitions;
    private final RulesetVersions rulesets;
    private final InstantSource clock;
    private final SecondLook secondLook;

    public MessagePreviews(Partitions partitions, RulesetVersions rulesets, InstantSource clock) {
        this.partitions = partitions;
        this.rulesets = rulesets;
        this.clock = clock;
        this.secondLook = new SecondLook(rulesets);
    }

    /**
     * To a user, who must have an address.
     *
     * @param variation which of the template's texts: 0 is the first, 1 and up its variations
     * @throws NotReadyException while the user cannot be read here, or the newest rules are not known
     */
    public Result<Rendered> toUser(UserKey user, UUID template, int variation) {
        byte[] key = user.bytes();
        return secondLook.read(user.tenant(), () -> {
            CompiledRuleset rules = rulesets.newest(user.tenant());
            return preview(rules, template, variation, (test, context) -> partitions.readOwner(key,
                    reader -> UserEngine.apply(reader.user(key), rules, test, context,
                            reader.historyOf(key, version -> rulesets.get(user.tenant(), version)))),
                    user);
        });
    }

    /** To somebody who has just been created, and has both addresses. */
    public Result<Rendered> toAnyone(TenantId tenant, UUID template, int variation) {
        return secondLook.read(tenant, () -> {
            CompiledRuleset rules = rulesets.newest(tenant);
            var history = new NoHistory(rulesets, tenant);
            return preview(rules, template, variation,
                    (test, context) -> UserEngine.apply(madeUp(rules, context, history), rules, test, context, history),
                    new UserKey(tenant, new UserId("swimmer-77")));
        });
    }

    private static UserState madeUp(CompiledRuleset rules, CommandContext context, UserHistory history) {
        var user = new UserChange(context.user().user(), Change.set("ida@example.net"), Change.set("Ida Laine"),
                Change.set(ZoneOffset.UTC), Change.set(List.of("token")), Change.keep(), Map.of());
        return switch (UserEngine.apply(null, rules, new IdentifyUser(user, false), context, history)) {
            case Outcome.Applied applied -> applied.state();
            case Outcome other -> throw new IllegalStateException("nobody could be made up: " + other);
        };
    }

    /** What the command of a test comes to. */
    private interface Trial {
        Outcome of(TestMessage test, CommandContext context);
    }

    private Result<Rendered> preview(CompiledRuleset rules, UUID id, int variation, Trial trial, UserKey user) {
        Template template = rules.messages().template(id);
        if (template == null) {
            return Result.missing(Refusal.unknownTemplate());
        }
        int last = template.variations().size();
        if (variation > last) {
            return Result.missing(Refusal.invalid("variation must be a whole number from 0 to " + last + "."));
        }
        var test = new TestMessage(UserChange.mention(user.user()), id);
        return switch (trial.of(test, CommandContext.ofRead(user, clock.millis()))) {
            case Outcome.Told told when told.notices().getFirst() instanceof Notice.ForUser notice ->
                rendered(rules.document(), template, variation, notice.facts());
            case Outcome.Refused(Refusal refusal) -> Result.missing(refusal);
            case Outcome other -> throw new IllegalStateException("a test of a message came to " + other);
        };
    }

    private static Result<Rendered> rendered(Ruleset rules, Template template, int variation, MessageBody facts) {
        Template.Text text = variation == 0 ? template.text() : template.variations().get(variation - 1);
        return switch (Rendering.of(template.channel(), text, plain(facts), rules.notifications().sender(),
                rules.settings().branding(), NOWHERE)) {
            case Rendered.Refused(String reason) -> Result.missing(Refusal.invalid(reason));
            case Rendered rendered -> Result.found(rendered);
        };
    }

    private static Map<String, Object> plain(MessageBody facts) {
        var plain = new LinkedHashMap<String, Object>();
        ((Map<?, ?>) Json.plain(facts)).forEach((name, value) -> plain.put((String) name, value));
        return plain;
    }
}
