package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.gateway.FakePublisher;
import dev.laurel.gateway.FixedAccess;
import dev.laurel.gateway.FixedRulesets;
import dev.laurel.gateway.RequestResult;
import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.TestServer;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.topic.Rejection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A gateway over HTTP with a fake log, which by default replies to every request with 201 and {@code {"ok":true}}. */
final class GatewayHttp implements AutoCloseable {

    /** The constant time of the gateway. */
    static final Instant NOW = Instant.parse("2026-03-04T09:15:00Z");

    final FakePublisher log = new FakePublisher();
    final FixedRulesets rulesets = new FixedRulesets(FixedRulesets.SWIMMING);
    final FixedAccess access = new FixedAccess();
    /** The rejections by their ids. */
    final Map<Long, Rejection> rejections = new ConcurrentHashMap<>();
    /** The audit records, in order. */
    final List<AuditRecord> audited = new CopyOnWriteArrayList<>();

    final RawHttp client;
    private final AtomicInteger answeredCommands = new AtomicInteger();
    private final HttpServer server;

    GatewayHttp(Duration replyTimeout) {
        this(replyTimeout, new BootstrapKey(RawHttp.KEY));
    }

    GatewayHttp(Duration replyTimeout, ApiKeys keys) {
        this(replyTimeout, keys, RequestLimits.NONE);
    }

    GatewayHttp(Duration replyTimeout, ApiKeys keys, RequestLimits limits) {
        this(replyTimeout, keys, limits, null);
    }

    /** @param replays null: the routes of replays are not mounted */
    GatewayHttp(Duration replyTimeout, ApiKeys keys, RequestLimits limits, @Nullable Optional<Replays> replays) {
        var routes = new GatewayRoutes(
                log.client(10, replyTimeout), rulesets, access, () -> NOW, replyTimeout, rejections::get);
        this.server = TestServer.start(
                TestServer.at(new HttpSettings.Address("127.0.0.1", 0))
                        .withLimits(limits)
                        .withAudit(audited::add),
                keys,
                replays == null ? List.of(routes) : List.of(routes, routes.ofReplays(replays.orElse(null))));
        this.client = new RawHttp(server.port());
        answerWith(201, "{\"ok\":true}");
        access.index()
                .missingSigner(() -> new byte[32])
                .forEach(secret -> access.index().put(secret.recordKey(), secret));
    }

    void answerWith(int status, String body) {
        log.onRequest = id -> log.reply(id, new RequestResult.Replied(status, body.getBytes(UTF_8)), List.of());
    }

    /** @param parts name, JSON, name, JSON, … */
    void answerInParts(String body, List<String> awaits, String... parts) {
        log.onRequest = id -> {
            for (int i = 0; i < parts.length; i += 2) {
                log.part(id, parts[i], parts[i + 1].getBytes(UTF_8));
            }
            log.reply(id, new RequestResult.Replied(201, body.getBytes(UTF_8)), awaits);
        };
    }

    /** Answers each request by its command. */
    void answerBy(Function<Command, RequestResult.Replied> answers) {
        log.onRequest = id -> log.reply(id, answers.apply(log.commands.getLast()), List.of());
    }

    /** Answers edits and commands differently. */
    void answerEditsAndCommands(
            Function<Edit, RequestResult.Replied> toEdits, Function<Command, RequestResult.Replied> toCommands) {
        log.onRequest = id -> log.reply(
                id,
                log.commands.size() > answeredCommands.getAndSet(log.commands.size())
                        ? toCommands.apply(log.commands.getLast())
                        : toEdits.apply(log.edits.getLast()),
                List.of());
    }

    static RequestResult.Replied reply(int status, String body) {
        return new RequestResult.Replied(status, body.getBytes(UTF_8));
    }

    void answerNothing() {
        log.onRequest = _ -> {};
    }

    /** What the routes need, by method and path. */
    Map<String, RequiredRole> routes() {
        return server.routes();
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
