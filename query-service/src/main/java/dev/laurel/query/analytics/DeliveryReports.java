package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter.AnswerTimes;
import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.ReportTable.Series;
import dev.laurel.query.analytics.Window.Period;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/** The reports of what leaves the instance (docs/analytics.md §2): messages, webhooks. They are not divided. */
final class DeliveryReports {

    private static final int MEDIAN = 50;
    private static final int HIGH = 99;

    private final ReportInput input;
    private final AccountCounters delivery;

    private DeliveryReports(ReportInput input) {
        this.input = input;
        this.delivery = requireNonNull(input.deliveryCounters(), "the counters of delivery are read for these reports");
    }

    static ReportTable messages(ReportInput input) {
        return ReportTable.of(input.window(),
                ReportInput.oneOr(input.template(), input.rules().document().notifications().templates()).stream()
                        .map(new DeliveryReports(input)::messages).toList());
    }

    private Series messages(Template template) {
        int number = template.number();
        return new Columns().add("channel", template.channel().name().toLowerCase(Locale.ROOT))
                .add("due", ofUsers(Counter.MESSAGES_DUE, number)).add("sent", sums(Counter.MESSAGES_SENT, number))
                .add("failed", sums(Counter.MESSAGES_FAILED, number))
                .add("bounced", sums(Counter.MESSAGES_BOUNCED, number))
                .add("opened", ofUsers(Counter.MESSAGES_OPENED, number))
                .add("clicked", ofUsers(Counter.MESSAGES_CLICKED, number))
                .add("returned", ofUsers(Counter.MESSAGES_RETURNED, number))
                .of(Map.of(), new ObjectLabel("template", template.key(), template.number()));
    }

    static ReportTable webhooks(ReportInput input) {
        return ReportTable.of(input.window(), ReportInput.oneOr(input.webhook(), input.rules().document().webhooks())
                .stream().map(new DeliveryReports(input)::webhooks).toList());
    }

    private Series webhooks(Webhook webhook) {
        int number = webhook.number();
        long[] answers = delivery.numbers(input.tenant(), Counter.WEBHOOK_ANSWERS, number, SegmentGroup.ALL,
                AnswerTimes.first(input.window().from()), AnswerTimes.first(input.window().to() + 1) - 1);
        return new Columns().add("attempts", sums(Counter.WEBHOOK_ATTEMPTS, number))
                .add("delivered", sums(Counter.WEBHOOK_DELIVERED, number))
                .add("failed", sums(Counter.WEBHOOK_FAILED, number))
                .add("answerMsP50", percentiles(answers, MEDIAN)).add("answerMsP99", percentiles(answers, HIGH))
                .of(Map.of(), new ObjectLabel("webhook", webhook.key(), webhook.number()));
    }

    /** The sums of what the ledger counts. */
    private List<Long> ofUsers(Counter counter, int object) {
        return input.sums(input.numbers(counter, object, SegmentGroup.ALL));
    }

    /** The sums of what delivery counts. */
    private List<Long> sums(Counter counter, int object) {
        return input.sums(delivery.numbers(input.tenant(), counter, object, SegmentGroup.ALL, input.window().from(),
                input.window().to()));
    }

    private List<@Nullable Integer> percentiles(long[] answers, int percent) {
        var percentiles = new ArrayList<@Nullable Integer>();
        int zero = AnswerTimes.first(input.window().from());
        for (Period period : input.window().periods()) {
            percentiles.add(AnswerTimes.percentile(Arrays.copyOfRange(answers, AnswerTimes.first(period.first()) - zero,
                    AnswerTimes.first(period.last() + 1) - zero), percent));
        }
        return percentiles;
    }
}
