package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter.Cohorts;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LocalDays;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.query.analytics.LeaderboardRuns.BoardRun;
import dev.laurel.query.analytics.LeaderboardRuns.RunCounts;
import dev.laurel.query.analytics.Window.Granularity;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.read.FreshRulesetRetry;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reports of analytics (docs/analytics.md §2). Each is made on any node, from the counters of the account; only what names or
 * compares single users is asked of the others, about once a second at most. Thread-safe.
 */
public record AnalyticsReads(LocalNode node, TopUserLists top, RunCounts runs) {

    private static final int MAX_DAYS = 731;
    private static final int DEFAULT_DAYS = 30;

    /** What {@code impact} compares if nothing else is asked. */
    public static final int DEFAULT_RETENTION_DAYS = 14;

    /** The longest list of users. */
    public static final int MAX_PLACES = TopUserLists.MAX_PLACES;

    private static final String LEADERBOARDS = "leaderboards";
    private static final String ALL_TIME = "all";
    private static final String LAST_30_DAYS = "30d";

    /** The reports by name. */
    static final Map<String, Kind> REPORTS = reports();

    /** @param isDivided whether it is counted by segments @param isOfDelivery whether it is also made from the counters of delivery */
    record Kind(Function<ReportInput, ReportTable> make, boolean isDivided, boolean isOfDelivery) {}

    /**
     * What is asked. A part that is null was not given.
     *
     * @param run a date in the only run of a leaderboard to report
     * @param days the distance that {@code impact} compares, from 1 to {@value Cohorts#LAST_DAY}
     * @param limit the number of users that {@code top-users} lists, from 1 to {@value #MAX_PLACES}
     * @param words the others by name: {@code granularity} is {@code day}, {@code week} or {@code month}; {@code segmentBy} is
     *        {@code control}, or the key of an analytics attribute; {@code range} is what {@code top-users} compares, {@code all} or
     *        {@code 30d}; {@code metric}, {@code achievement}, {@code system}, {@code leaderboard}, {@code template} and {@code webhook}
     *        are keys
     */
    public record Question(
            String report,
            @Nullable LocalDate from,
            @Nullable LocalDate to,
            @Nullable LocalDate run,
            int days,
            int limit,
            Function<String, @Nullable String> words) {

        private @Nullable String word(String name) {
            return words.apply(name);
        }
    }

    /**
     * The answer.
     *
     * @param span the days that it reports; null: it is a ranking
     * @param range of the ranking; null: it is none
     * @param asOf the time up to which everything is counted, but for a second
     */
    public record Report(
            String name,
            @Nullable Span span,
            @Nullable String range,
            @Nullable String segmentBy,
            ReportTable table,
            Instant asOf) {}

    /** The days of a report, both included, and the length of its periods. */
    public record Span(LocalDate from, LocalDate to, String granularity) {}

    /** @param node knows the counters @param nodes are asked for users and figures of leaderboards */
    public AnalyticsReads(LocalNode node, Nodes nodes) {
        this(node, new TopUserLists(nodes, TopUserLists.AGE), new RunCounts(nodes));
    }

    private static Map<String, Kind> reports() {
        var reports = new LinkedHashMap<String, Kind>();
        reports.put("active-users", new Kind(ActivityReports::activeUsers, true, false));
        reports.put("events", new Kind(ActivityReports::events, true, false));
        reports.put("engagement", new Kind(ActivityReports::engagement, true, false));
        reports.put("top-users", new Kind(RankingReports::topUsers, true, false));
        reports.put("retention", new Kind(RetentionReports::retention, true, false));
        reports.put("impact", new Kind(RetentionReports::impact, true, false));
        reports.put("achievements", new Kind(ProgressReports::achievements, true, false));
        reports.put("streaks", new Kind(ProgressReports::streaks, true, false));
        reports.put("points", new Kind(ProgressReports::points, true, false));
        reports.put(LEADERBOARDS, new Kind(RankingReports::leaderboards, false, false));
        reports.put("messages", new Kind(DeliveryReports::messages, false, true));
        reports.put("webhooks", new Kind(DeliveryReports::webhooks, false, true));
        return reports;
    }

    /**
     * @throws Refused if there is no such report, or the question is not valid
     * @throws NotReadyException while the counters are being read after a start
     */
    public Report report(TenantId tenant, Question question) {
        return new FreshRulesetRetry(node.users().rulesets()).read(tenant, rules -> answer(tenant, rules, question));
    }

    private Report answer(TenantId tenant, CompiledRuleset rules, Question question) {
        Kind kind = REPORTS.get(question.report());
        if (kind == null) {
            throw new Refused(new Refusal(
                    Refusal.Kind.NOT_FOUND,
                    "Unknown report: " + question.report() + ". Reports: " + String.join(", ", REPORTS.keySet())
                            + "."));
        }
        try (AccountCounters known = node.counters().get();
                AccountCounters ofDelivery =
                        kind.isOfDelivery ? node.deliveryCounters().get() : null) {
            if (known == null) {
                throw new NotReadyException(
                        "The counters of analytics are being read after a start of this node. Try again.");
            }
            if (kind.isOfDelivery && ofDelivery == null) {
                throw new NotReadyException(
                        "The counters of delivery are being read, or no delivery process has run yet. Try again.");
            }
            Instant now = node.users().clock().instant();
            ReportInput input = inputOf(tenant, rules, question, known, ofDelivery, now);
            ReportTable table = kind.make.apply(input);
            return table.isRanking()
                    ? new Report(question.report(), null, input.isRecent() ? LAST_30_DAYS : ALL_TIME, null, table, now)
                    : new Report(
                            question.report(), spanOf(input.window()), null, question.word("segmentBy"), table, now);
        }
    }

    private ReportInput inputOf(
            TenantId tenant,
            CompiledRuleset rules,
            Question question,
            AccountCounters known,
            @Nullable AccountCounters ofDelivery,
            Instant now) {
        Ruleset document = rules.document();
        int today = LocalDays.dayOf(now.toEpochMilli(), document.settings().defaultTimeZone());
        List<LeaderboardRules> boards = List.copyOf(rules.boards());
        LeaderboardRules board =
                find(question, "leaderboard", boards, one -> one.board().key());
        var begun = new LeaderboardRuns(ReportInput.oneOr(board, boards), now);
        boolean isOfBoards = question.report().equals(LEADERBOARDS);
        List<BoardRun> asked = isOfBoards && question.run() != null ? begun.on(question.run()) : null;
        Window window = asked == null
                ? windowOf(question.from(), question.to(), question, rules, today)
                : windowOf(question, asked, rules, today);
        List<BoardRun> shown =
                asked != null ? asked : isOfBoards ? begun.between(window.from(), window.to()) : List.of();
        return new ReportInput(
                tenant,
                rules,
                known,
                ofDelivery,
                window,
                groupsOf(question, rules, tenant, known),
                today,
                question.days(),
                find(question, "metric", rules.metrics(), Metric::key),
                find(question, "achievement", document.achievements(), Achievement::key),
                find(question, "system", document.pointsSystems(), PointsSystem::key),
                find(question, "template", document.notifications().templates(), Template::key),
                find(question, "webhook", document.webhooks(), Webhook::key),
                shown,
                runs,
                isRecent(question),
                question.limit(),
                top);
    }

    private static boolean isRecent(Question question) {
        return switch (question.word("range")) {
            case ALL_TIME -> false;
            case LAST_30_DAYS -> true;
            case null -> false;
            default -> throw Refused.because("range must be one of " + ALL_TIME + ", " + LAST_30_DAYS + ".");
        };
    }

    static Span spanOf(Window window) {
        return new Span(
                LocalDate.ofEpochDay(window.from()),
                LocalDate.ofEpochDay(window.to()),
                IssueList.word(window.granularity()));
    }

    /** The requested days; if none are, those of the runs up to today, as far back as a report may go. */
    private static Window windowOf(Question question, List<BoardRun> runs, CompiledRuleset rules, int today) {
        LocalDate now = LocalDate.ofEpochDay(today);
        LocalDate last = runs.stream()
                .map(run -> run.last() == null ? now : run.last())
                .max(Comparator.naturalOrder())
                .orElse(now);
        LocalDate first = runs.stream()
                .map(BoardRun::first)
                .min(Comparator.naturalOrder())
                .orElse(now);
        // In the east a run of tomorrow may have begun.
        LocalDate to = last.isBefore(now) || first.isAfter(now) ? last : now;
        LocalDate oldest = Stream.of(to.minusDays(MAX_DAYS - 1), firstKept(rules, today))
                .max(Comparator.naturalOrder())
                .orElse(first);
        if (question.from() != null || question.to() != null || to.isBefore(oldest)) {
            return windowOf(question.from(), question.to(), question, rules, today);
        }
        return windowOf(first.isBefore(oldest) ? oldest : first, to, question, rules, today);
    }

    /** The first day of which counters are kept. */
    private static LocalDate firstKept(CompiledRuleset rules, int today) {
        return LocalDate.ofEpochDay(today).minusDays(rules.document().settings().analyticsRetentionDays() - 1L);
    }

    private static Window windowOf(
            @Nullable LocalDate first, @Nullable LocalDate last, Question question, CompiledRuleset rules, int today) {
        LocalDate to = last == null ? LocalDate.ofEpochDay(today) : last;
        LocalDate from = first == null ? to.minusDays(DEFAULT_DAYS - 1) : first;
        if (from.isAfter(to)) {
            throw Refused.because("from must not be after to, " + to + ".");
        }
        if (ChronoUnit.DAYS.between(from, to) >= MAX_DAYS) {
            throw Refused.because("from and to must span at most " + MAX_DAYS + " days.");
        }
        LocalDate kept = firstKept(rules, today);
        if (from.isBefore(kept)) {
            throw Refused.because("from must not be before " + kept + ": counters are kept for "
                    + rules.document().settings().analyticsRetentionDays() + " days (setting analyticsRetentionDays).");
        }
        String length = question.word("granularity");
        Granularity granularity = length == null
                ? Granularity.DAY
                : Stream.of(Granularity.values())
                        .filter(one -> IssueList.word(one).equals(length))
                        .findFirst()
                        .orElseThrow(() -> Refused.because("granularity must be one of day, week, month."));
        return new Window(
                Math.toIntExact(from.toEpochDay()),
                Math.toIntExact(to.toEpochDay()),
                granularity,
                rules.document().settings().weekStartsOn());
    }

    private static List<SegmentGroup> groupsOf(
            Question question, CompiledRuleset rules, TenantId tenant, AccountCounters counters) {
        String by = question.word("segmentBy");
        if (by == null) {
            return List.of(SegmentGroup.ALL);
        }
        if (!Objects.requireNonNull(REPORTS.get(question.report())).isDivided) {
            throw Refused.because("segmentBy must not be given: the report " + question.report() + " is not divided.");
        }
        if (by.equals(SegmentGroup.CONTROL)) {
            return SegmentGroup.byControl();
        }
        Attribute attribute = rules.analyticsAttributes().stream()
                .filter(one -> one.key().equals(by))
                .findFirst()
                .orElseThrow(() -> unknown(
                        "segmentBy",
                        Stream.concat(
                                        Stream.of(SegmentGroup.CONTROL),
                                        rules.analyticsAttributes().stream().map(Attribute::key))
                                .toList()));
        return SegmentGroup.by(attribute, counters.values(tenant, attribute.number()));
    }

    /** @return null if no key was given */
    private static <T> @Nullable T find(
            Question question, String parameter, List<T> objects, Function<T, String> keyOf) {
        String key = question.word(parameter);
        if (key == null) {
            return null;
        }
        return objects.stream()
                .filter(object -> keyOf.apply(object).equals(key))
                .findFirst()
                .orElseThrow(
                        () -> unknown(parameter, objects.stream().map(keyOf).toList()));
    }

    private static Refused unknown(String parameter, List<String> known) {
        return Refused.because(
                known.isEmpty()
                        ? parameter + " must not be given: there is none."
                        : parameter + " must be one of " + String.join(", ", known) + ".");
    }
}
