package dev.laurel.delivery;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.Counter.AnswerTimes;
import dev.laurel.core.analytics.CounterUpdater.Counts;
import dev.laurel.core.analytics.Segment;
import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.core.user.LocalDays;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.CounterStore;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * The counters of what became of messages and webhook deliveries, for reports (docs/analytics.md §5). One task,
 * one thread.
 */
public record DeliveryCounters(CounterStore counters, Rulesets rulesets) {

    /** All counters of delivery are of users outside the control group. */
    private static final List<Segment> SEGMENTS = List.of(Segment.OUTSIDE);

    /** The counters of a task, called when it is started. @param rulesets followed and caught up */
    public static DeliveryCounters open(ProcessorContext<?, ?> context, Rulesets rulesets) {
        var counters = new CounterStore(context.getStateStore(StoreNames.OUTCOMES));
        PreCommitStore.beforeCommit(context.getStateStore(StoreNames.OUTCOMES), counters::write);
        return new DeliveryCounters(counters, rulesets);
    }

    /**
     * Counts the end of a message, and stores that at once: a message ends once, so nothing would count it again.
     *
     * @param isBounced whether the service said that there is no such address
     */
    public void messageEnded(MessageDelivery delivery, Ended end, boolean isBounced) {
        // Known: the version was in force when the message was due, which is at least one record ago.
        Ruleset rules = rulesets.version(delivery.user().tenant(), delivery.rulesVersion());
        Integer template = rules == null
                ? null
                : numberOf(
                        delivery.copy().template(),
                        rules.notifications().templates(),
                        Template::id,
                        Template::number,
                        rules);
        if (rules == null || template == null) {
            return;
        }
        int day = dayOf(delivery.at(), rules);
        Counts counts = of(rules);
        counts.add(end.how() == Ending.SENT ? Counter.MESSAGES_SENT : Counter.MESSAGES_FAILED, template, day, 1);
        if (isBounced) {
            counts.add(Counter.MESSAGES_BOUNCED, template, day, 1);
        }
        counters.write();
    }

    /**
     * Counts an attempt to deliver to a webhook.
     *
     * @param at the end of the attempt
     * @param answerMs how long the answer took; null: there was none
     */
    public void attempted(Endpoint endpoint, Instant at, @Nullable Long answerMs) {
        add(endpoint, at, Counter.WEBHOOK_ATTEMPTS, day -> day);
        if (answerMs != null) {
            add(endpoint, at, Counter.WEBHOOK_ANSWERS, day -> AnswerTimes.cell(day, answerMs));
        }
    }

    /** Counts a delivery that a webhook has accepted. */
    public void delivered(Endpoint endpoint, Instant at) {
        add(endpoint, at, Counter.WEBHOOK_DELIVERED, day -> day);
    }

    /** Counts a delivery whose last attempt has failed. */
    public void failed(Endpoint endpoint, Instant at) {
        add(endpoint, at, Counter.WEBHOOK_FAILED, day -> day);
    }

    private void add(Endpoint endpoint, Instant at, Counter counter, IntUnaryOperator cellOf) {
        Ruleset rules = rulesets.newest(endpoint.tenant());
        Integer webhook = numberOf(endpoint.webhook(), rules.webhooks(), Webhook::id, Webhook::number, rules);
        if (webhook != null) {
            of(rules).add(counter, webhook, cellOf.applyAsInt(dayOf(at, rules)), 1);
        }
    }

    private Counts of(Ruleset rules) {
        return counters.of(rules.tenant(), rules.settings().analyticsRetentionDays(), SEGMENTS);
    }

    private static int dayOf(Instant at, Ruleset rules) {
        return LocalDays.dayOf(at.toEpochMilli(), rules.settings().defaultTimeZone());
    }

    /** The number of an object, also of one that was removed; null if the rules never had it. */
    private static <T> @Nullable Integer numberOf(
            UUID id, List<T> objects, Function<T, UUID> idOf, Function<T, Integer> numberOf, Ruleset rules) {
        for (T object : objects) {
            if (idOf.apply(object).equals(id)) {
                return numberOf.apply(object);
            }
        }
        for (ObjectIdentity retired : rules.retired()) {
            if (retired.id().equals(id)) {
                return retired.number();
            }
        }
        return null;
    }
}
