package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.Counter.AnswerTimes;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reports of what leaves the instance (docs/analytics.md §2): messages, webhooks. They are not divided. */
final class DeliveryReports {

    private static final int MEDIAN = 50;
    private static final int HIGH = 99;

    private DeliveryReports() {}

    static ReportTable messages(ReportInput input) {
        return ReportTable.of(
                input.window(),
                ReportInput.oneOr(
                                input.template(),
                                input.rules().document().notifications().templates())
                        .stream()
                        .map(template -> messages(input, template)));
    }

    private static Columns messages(ReportInput input, Template template) {
        Columns users = input.columns(new ObjectLabel("template", template.key(), template.number()))
                .add("channel", IssueList.word(template.channel()))
                .sums("due", Counter.MESSAGES_DUE);
        input.ofDelivery(users)
                .sums("sent", Counter.MESSAGES_SENT)
                .sums("failed", Counter.MESSAGES_FAILED)
                .sums("bounced", Counter.MESSAGES_BOUNCED);
        return users.sums("opened", Counter.MESSAGES_OPENED)
                .sums("clicked", Counter.MESSAGES_CLICKED)
                .sums("returned", Counter.MESSAGES_RETURNED);
    }

    static ReportTable webhooks(ReportInput input) {
        return ReportTable.of(
                input.window(),
                ReportInput.oneOr(input.webhook(), input.rules().document().webhooks()).stream()
                        .map(webhook -> webhooks(input, webhook)));
    }

    private static Columns webhooks(ReportInput input, Webhook webhook) {
        Columns columns = input.ofDelivery(input.columns(new ObjectLabel("webhook", webhook.key(), webhook.number())));
        long[] answers = columns.counters()
                .numbers(
                        input.tenant(),
                        Counter.WEBHOOK_ANSWERS,
                        webhook.number(),
                        SegmentGroup.ALL,
                        AnswerTimes.first(input.window().from()),
                        AnswerTimes.first(input.window().to() + 1) - 1);
        return columns.sums("attempts", Counter.WEBHOOK_ATTEMPTS)
                .sums("delivered", Counter.WEBHOOK_DELIVERED)
                .sums("failed", Counter.WEBHOOK_FAILED)
                .add("answerMsP50", percentiles(input, answers, MEDIAN))
                .add("answerMsP99", percentiles(input, answers, HIGH));
    }

    private static List<@Nullable Integer> percentiles(ReportInput input, long[] answers, int percent) {
        int zero = AnswerTimes.first(input.window().from());
        return input.<@Nullable Integer>perPeriod(period -> AnswerTimes.percentile(
                Arrays.copyOfRange(
                        answers, AnswerTimes.first(period.first()) - zero, AnswerTimes.first(period.last() + 1) - zero),
                percent));
    }
}
