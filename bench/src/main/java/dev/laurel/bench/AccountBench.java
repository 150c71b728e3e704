package dev.laurel.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.bench.AccountCluster.Started;
import dev.laurel.bench.AccountReads.Read;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.load.Median;
import dev.laurel.deploy.cli.ServerCalls;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.ruleset.RulesetSource;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static dev.laurel.bench.AccountCluster.inParallel;
import static dev.laurel.bench.AccountCluster.send;
import static dev.laurel.bench.BenchResult.format;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Measures what belongs to an account as a whole, and must not grow with it: an instance with many tenants, a key for each of many
 * users, and one tenant whose large ruleset is edited often while its users are away. Broker, nodes and gateways are processes of their
 * own; everything is created through the HTTP API.
 */
final class AccountBench {

    /** The tenant that is edited. */
    static final String TENANT = "harbour";

    private static final int BULK = 100;

    /** Events in a request; so many that those in progress do not exceed what a gateway accepts at a time. */
    private static final int BATCH = 200;
    private static final int METRICS = 10;
    private static final int MANY_NODES = 3;

    /** Requests that make a gateway collect its garbage several times, so that its least heap is what it holds. */
    private static final int HEAP_SAMPLES = 60;
    private static final int REQUESTS_BETWEEN_SAMPLES = 100;

    private final Plan plan;
    private final Progress progress;

    private AccountBench(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** Blocks until the run is complete. */
    static Report run(Plan plan, Progress progress) throws InterruptedException {
        return new AccountBench(plan, progress).run();
    }

    private Report run() throws InterruptedException {
        var otherWork = new CompetingLoad();
        try (AccountCluster cluster = AccountCluster.withBroker(plan.partitions())) {
            Started node = cluster.node("node-0");
            Started gateway = cluster.gateway("gateway", plan.gatewayHeapMib());
            try (ServerCalls calls = gateway.calls()) {
                fill(calls);
                var records = new EditRecords(cluster.bootstrapServers());
                Edits edits;
                try (ServerCalls reads = node.calls()) {
                    edits = edit(calls, reads, records);
                }
                Returns warm = returns(calls, 0);
                node.process().stop();
                node = cluster.node("node-0");
                progress.line("the node has started again after %.1f s", node.seconds());
                Returns cold = returns(calls, plan.returning());
                gateway.process().stop();
                Starts starts = starts(cluster);
                node.process().stop();
                var reads = new AccountReads(cluster, plan, progress);
                Map<Read, Double> one = reads.perSecond(1);
                Map<Read, Double> many = reads.perSecond(MANY_NODES);
                return new Report(Machine.after(otherWork), plan, edits, warm, cold, starts, node.seconds(), one, many);
            }
        }
    }

    private void fill(ServerCalls calls) throws InterruptedException {
        send(calls, "PATCH", "/admin/v1/settings", null, Map.of("multiTenancyEnabled", true));
        tenants(calls, List.of(TENANT));
        send(calls, "PUT", "/admin/v1/ruleset", TENANT, large(plan.objects()));
        inParallel(plan.tenants() / BULK, i -> tenants(calls,
                IntStream.range(i * BULK, (i + 1) * BULK).mapToObj(AccountBench::tenant).toList()));
        inParallel(plan.tenants(), i -> send(calls, "PUT", "/admin/v1/ruleset", tenant(i), SMALL));
        progress.line("created %,d tenants with a ruleset each", plan.tenants());
        inParallel(plan.users() / BATCH, i -> send(calls, "POST", "/admin/v1/metrics/events", TENANT,
                IntStream.range(i * BATCH, (i + 1) * BATCH)
                        .mapToObj(user -> Map.of("key", "metric-0", "value", 1, "user",
                                Map.of("id", UniformUsers.name(user))))
                        .toList()));
        progress.line("created %,d users", plan.users());
        inParallel(plan.keys() / BULK, i -> send(calls, "POST", "/admin/v1/application-api-keys", TENANT,
                IntStream.range(i * BULK, (i + 1) * BULK).mapToObj(user -> Map.of("userId", UniformUsers.name(user)))
                        .toList()));
        progress.line("issued %,d keys", plan.keys());
    }

    private static void tenants(ServerCalls calls, List<String> names) {
        send(calls, "POST", "/admin/v1/tenants", null,
                names.stream().map(name -> Map.of("customerId", name, "name", name)).toList());
    }

    private static String tenant(int number) {
        return "tenant-" + number;
    }

    private static final RulesetSource SMALL = RulesetSource.of(Map.of("metrics",
            Draft.of("laps", Draft.of("name", "Laps")), "achievements",
            Draft.of("first", Draft.of("name", "First", "trigger", "metric", "metric", "laps", "value", 1))));

    /** Returns rules with this number of objects: half achievements, a quarter of them by API and inactive; half triggers. */
    private static RulesetSource large(int objects) {
        var metrics = new LinkedHashMap<String, Draft>();
        IntStream.range(0, METRICS).forEach(i -> metrics.put("metric-" + i, Draft.of("name", "Metric " + i)));
        var achievements = new LinkedHashMap<String, Draft>();
        var triggers = new LinkedHashMap<String, Draft>();
        for (int i = 0; i < objects / 2; i++) {
            String metric = "metric-" + i % METRICS;
            achievements.put("achievement-" + i, i % 4 == 3
                    ? Draft.of("name", "Achievement " + i, "trigger", "api", "status", "inactive", "backdate", false)
                    : Draft.of("name", "Achievement " + i, "trigger", "metric", "metric", metric, "value",
                            1_000 * (i + 1), "backdate", false));
            triggers.put("trigger-" + i, Draft.of("type", "metric", "metric", metric, "threshold", 5 + i, "points", 1));
        }
        return RulesetSource.of(Map.of("metrics", Draft.of(metrics), "achievements", Draft.of(achievements), "points",
                Draft.of("points", Draft.of("name", "Points", "triggers", Draft.of(triggers))), "streak",
                Draft.of("enabled", true, "frequency", "daily")));
    }

    /** Edits one object after the other: a name, the points of a trigger, a threshold, an activation. */
    private Edits edit(ServerCalls calls, ServerCalls reads, EditRecords records) {
        List<JsonNode> achievements = pages(reads, "/admin/v1/achievements");
        JsonNode system = send(reads, "GET", "/admin/v1/points", TENANT, null).get(0);
        String triggersPath = "/admin/v1/points/" + system.get("id").asString() + "/triggers";
        List<JsonNode> triggers = pages(reads, triggersPath);
        records.begin();
        var tookMs = new double[plan.edits()];
        for (int i = 0; i < plan.edits(); i++) {
            long startedNs = System.nanoTime();
            JsonNode achievement = achievements.get(i % achievements.size());
            String id = achievement.get("id").asString();
            switch (i % 4) {
                case 0 -> patch(calls, "/admin/v1/achievements", Map.of("id", id, "name", "Renamed " + i));
                case 1 ->
                    patch(calls, triggersPath, Map.of("id", triggers.get(i % triggers.size()).get("id").asString(),
                            "points", 2 + i));
                case 2 -> patch(calls, "/admin/v1/achievements",
                        Map.of("id", id, "metricValue", achievement.get("metricValue").asInt() + 1, "backdate", false));
                default -> patch(calls, "/admin/v1/achievements",
                        achievement.path("status").asString("").equals("inactive") && i < achievements.size()
                                ? Map.of("id", id, "status", "active", "backdate", false)
                                : Map.of("id", id, "description", "Edited by " + i));
            }
            tookMs[i] = (System.nanoTime() - startedNs) / 1e6;
        }
        EditRecords.Count count = records.count();
        Arrays.sort(tookMs);
        progress.line("made %,d edits: %,d markers in the log, %,d messages to leaderboards", plan.edits(),
                count.markers(), count.messages());
        return new Edits(Median.ofSorted(tookMs), tookMs[tookMs.length * 99 / 100],
                (double) (count.markers() + count.messages()) / plan.edits(), plan.partitions(),
                count.rulesetBytes() / plan.edits());
    }

    private static void patch(ServerCalls calls, String path, Map<String, ?> item) {
        send(calls, "PATCH", path, TENANT, List.of(item));
    }

    private static List<JsonNode> pages(ServerCalls calls, String path) {
        var all = new ArrayList<JsonNode>();
        for (int skip = 0;; skip += BULK) {
            JsonNode page = send(calls, "GET", path + "?limit=" + BULK + "&skip=" + skip, TENANT, null);
            page.forEach(all::add);
            if (page.size() < BULK) {
                return all;
            }
        }
    }

    /**
     * Sends two events of each of some users who were away during all edits. The first event brings the user to the present rules;
     * the second one costs the same without that.
     */
    private Returns returns(ServerCalls calls, int from) {
        int count = plan.returning();
        var away = new double[count];
        var present = new double[count];
        for (int i = 0; i < count; i++) {
            String user = UniformUsers.name(from + i);
            away[i] = eventMs(calls, user);
            present[i] = eventMs(calls, user);
        }
        double usual = Median.of(Arrays.stream(present).boxed().toList());
        double first = away[0] - usual;
        double[] others = Arrays.stream(away, 1, count).map(ms -> ms - usual).sorted().toArray();
        Arrays.sort(present);
        var returns = new Returns(first, Median.ofSorted(others), others[others.length * 99 / 100], usual,
                present[count * 99 / 100]);
        progress.line(
                "returning costs %.1f ms first, then %.2f ms (p99 %.2f ms) more than an event of %.2f ms (p99 %.2f ms)",
                returns.firstMs(), returns.p50Ms(), returns.p99Ms(), returns.presentMs(), returns.presentP99Ms());
        return returns;
    }

    private static double eventMs(ServerCalls calls, String user) {
        long startedNs = System.nanoTime();
        send(calls, "POST", "/v1/metrics/metric-1/event", TENANT, Map.of("value", 1, "user", Map.of("id", user)));
        return (System.nanoTime() - startedNs) / 1e6;
    }

    /** Starts a gateway with a small heap, and uses it. */
    private Starts starts(AccountCluster cluster) {
        Started first = cluster.gateway("gateway", plan.gatewayHeapMib());
        first.process().stop();
        Started again = cluster.gateway("gateway", plan.gatewayHeapMib());
        try (ServerCalls calls = again.calls()) {
            long leastHeap = Long.MAX_VALUE;
            for (int sample = 0; sample < HEAP_SAMPLES; sample++) {
                for (int i = 0; i < REQUESTS_BETWEEN_SAMPLES; i++) {
                    admit(calls, tenant((sample * REQUESTS_BETWEEN_SAMPLES + i) % plan.tenants()));
                }
                leastHeap = Math.min(leastHeap, heapOf(calls));
            }
            Long resident = again.process().residentBytes();
            again.process().stop();
            progress.line("gateways started after %.1f and %.1f s; least heap %,d MB of %,d MB", first.seconds(),
                    again.seconds(), leastHeap >> 20, plan.gatewayHeapMib());
            return new Starts(first.seconds(), again.seconds(), leastHeap, resident);
        }
    }

    /** Sends an event of a metric that the rules of the tenant do not have, so that the gateway checks it and writes nothing. */
    private static void admit(ServerCalls calls, String tenant) {
        calls.sendOrFail(calls.request("/v1/metrics/none/event", tenant)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"value\":1,\"user\":{\"id\":\"nobody\"}}")).build());
    }

    private static long heapOf(ServerCalls calls) {
        return metrics(calls, "jvm_memory_used_bytes{").filter(line -> line.contains("area=\"heap\""))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
    }

    /** Returns the lines of the metrics that start so. */
    static Stream<String> metrics(ServerCalls calls, String start) {
        return new String(calls.sendOrFail(calls.request("/metrics").GET().build()).body(), UTF_8).lines()
                .filter(line -> line.startsWith(start));
    }

    /**
     * A plan.
     *
     * @param tenants with a small ruleset each
     * @param keys of users of the edited tenant, one each
     * @param objects of the edited ruleset
     * @param users of the edited tenant
     * @param returning users whose return is measured, after the edits and again after a restart of the node
     * @param gatewayHeapMib limit of the heap of gateways
     * @param warmUp time for which reads of each kind are not measured
     */
    record Plan(int partitions, int tenants, int keys, int edits, int objects, int users, int returning,
            int gatewayHeapMib, Duration warmUp) {

        private static final int HEAP_MIB = 256;

        static Plan of(boolean isQuick) {
            return isQuick
                    ? new Plan(4, 100, 1_000, 20, 200, 1_000, 20, HEAP_MIB, Duration.ofSeconds(3))
                    : new Plan(16, 10_000, 1_000_000, 1_000, 2_000, 100_000, 100, HEAP_MIB, Duration.ofSeconds(20));
        }
    }

    /**
     * What an edit costs.
     *
     * @param recordsPerEdit markers in the log and messages to leaderboards
     * @param partitionsWithUsers of the edited tenant
     * @param bytesPerEdit bytes of a version in {@code laurel.rulesets}
     */
    record Edits(double p50Ms, double p99Ms, double recordsPerEdit, int partitionsWithUsers, long bytesPerEdit) {}

    /**
     * What an event of a user who was away costs more than the median of other events.
     *
     * @param presentMs the median of events of a user who was not away
     * @param presentP99Ms their p99, which shows what else makes an event slow
     */
    record Returns(double firstMs, double p50Ms, double p99Ms, double presentMs, double presentP99Ms) {}

    /** @param firstSeconds with nothing on disk @param residentBytes null: unknown */
    record Starts(double firstSeconds, double againSeconds, long heapBytes, @Nullable Long residentBytes) {}

    /**
     * @param readsOfOne the reads that a node answers per second with a core of its own: reads per processor second
     * @param readsOfMany three nodes: reads per processor second, times three
     */
    record Report(@JsonIgnore Machine machine, Plan plan, Edits edits, Returns returns, Returns returnsAfterRestart,
            Starts gateway, double nodeSeconds, Map<Read, Double> readsOfOne,
            Map<Read, Double> readsOfMany) implements BenchResult {

        private static final double MEGABYTE = 1024.0 * 1024;

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row("", "", "target");
            table.row("gateway, s until it is ready: first start", format("%.1f", gateway.firstSeconds()), "≤ 10");
            table.row("  later starts", format("%.1f", gateway.againSeconds()), "≤ 10");
            table.row("  heap in use, MB", format("%.0f", gateway.heapBytes() / MEGABYTE), "≤ 256");
            if (gateway.residentBytes() != null) {
                table.row("  resident, MB", format("%.0f", gateway.residentBytes() / MEGABYTE));
            }
            table.row("node, s until it is ready", format("%.1f", nodeSeconds));
            table.row("edit, ms p50", format("%.1f", edits.p50Ms()));
            table.row("  p99", format("%.1f", edits.p99Ms()));
            table.row("  records in log and scores", format("%.1f", edits.recordsPerEdit()),
                    format("≤ %d", 2 * edits.partitionsWithUsers()));
            table.row("  bytes of the version", format("%,d", edits.bytesPerEdit()));
            table.row("return after all edits, ms more than another event: first", format("%.1f", returns.firstMs()));
            table.row("  others p50", format("%.2f", returns.p50Ms()), "≤ 5");
            table.row("  others p99", format("%.2f", returns.p99Ms()));
            table.row("  other events p99, more than their p50",
                    format("%.2f", returns.presentP99Ms() - returns.presentMs()));
            table.row("  first after a restart", format("%.1f", returnsAfterRestart.firstMs()));
            table.row("  others after a restart p50", format("%.2f", returnsAfterRestart.p50Ms()), "≤ 5");
            readsOfOne.forEach((read, one) -> {
                double many = requireNonNull(readsOfMany.get(read), "both measure the same reads");
                table.row("reads/s, one node on a core: " + read.title(), format("%,.0f", one));
                table.row("  three nodes, each on a core", format("%,.0f", many));
                table.row("  ratio", format("%.2f", many / one), read == Read.STREAK ? "" : "≥ 2.5");
            });
            return format(
                    "%s%n%,d tenants, %,d keys, %,d edits of a ruleset of %,d objects, %,d users, %d partitions%n%n%s",
                    machine.description(), plan.tenants(), plan.keys(), plan.edits(), plan.objects(), plan.users(),
                    plan.partitions(), table.text());
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("account", this);
        }
    }
}
