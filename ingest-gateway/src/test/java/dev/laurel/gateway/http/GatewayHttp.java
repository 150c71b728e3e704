package dev.laurel.gateway.http;

import dev.laurel.gateway.FixedAccess;
import dev.laurel.gateway.FixedRulesets;
import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.publish.FakePublisher;
import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.gateway.reply.PartsPatience;
import dev.laurel.gateway.reply.Waiters;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.http.ApiKeys;
import dev.laurel.schemas.http.BootstrapKey;
import dev.laurel.schemas.http.HttpServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The routes of a gateway on a real socket, before a log that answers every request with 201 and {@code {"ok":true}}. */
final class GatewayHttp implements AutoCloseable {

    /** What the gateway takes for now. */
    static final Instant NOW = Instant.parse("2026-03-04T09:15:00Z");

    final FakePublisher log = new FakePublisher();
    final FixedRulesets rulesets = new FixedRulesets(FixedRulesets.SWIMMING);
    final FixedAccess access = new FixedAccess();
    final RawHttp client;
    private final AtomicInteger answeredCommands = new AtomicInteger();
    private final Waiters waiters = new Waiters();
    private final HttpServer server;

    GatewayHttp(Duration replyTimeout) {
        this(replyTimeout, new BootstrapKey(RawHttp.KEY));
    }

    GatewayHttp(Duration replyTimeout, ApiKeys keys) {
        var admissions = new Admissions(rulesets);
        var exchange = new Exchange(log, waiters, 10, replyTimeout, new PartsPatience(System::nanoTime));
        var edits = new Edits(exchange, rulesets, access, replyTimeout);
        var configuration = new Configuration(rulesets, replyTimeout);
        this.server = HttpServer.start(new HttpServer.Address("127.0.0.1", 0), keys,
                List.of(new EventRoutes(admissions, exchange), new AchievementRoutes(admissions, exchange),
                        new UserRoutes(admissions, exchange),
                        new RulesetRoutes(edits, configuration, InstantSource.system()),
                        new ObjectRoutes(edits), new SettingsRoutes(edits),
                        new WebhookRoutes(edits, exchange, configuration, () -> NOW),
                        new TemplateRoutes(exchange, configuration),
                        new BoostRoutes(edits, exchange, configuration), new StreakRoutes(exchange, configuration),
                        new AdminUserRoutes(exchange, edits, access),
                        new UnsubscribeRoutes(rulesets, access, exchange),
                        new EventBatchRoutes(admissions, exchange, () -> NOW)));
        this.client = new RawHttp(server.port());
        answerWith(201, "{\"ok\":true}");
    }

    void answerWith(int status, String body) {
        log.onRequest = id -> waiters.answer(id, new Answer.Replied(status, body.getBytes(UTF_8)), List.of());
    }

    /** @param parts name, JSON, name, JSON, … */
    void answerInParts(String body, List<String> awaits, String... parts) {
        log.onRequest = id -> {
            for (int i = 0; i < parts.length; i += 2) {
                waiters.part(id, parts[i], parts[i + 1].getBytes(UTF_8));
            }
            waiters.answer(id, new Answer.Replied(201, body.getBytes(UTF_8)), awaits);
        };
    }

    /** Each request as its command says. */
    void answerBy(Function<Command, Answer.Replied> answers) {
        log.onRequest = id -> waiters.answer(id, answers.apply(log.commands.getLast()), List.of());
    }

    /** Edits one way, commands the other. */
    void answerByPlace(Function<Edit, Answer.Replied> toEdits, Function<Command, Answer.Replied> toCommands) {
        log.onRequest = id -> waiters.answer(id, log.commands.size() > answeredCommands.getAndSet(log.commands.size())
                ? toCommands.apply(log.commands.getLast())
                : toEdits.apply(log.edits.getLast()), List.of());
    }

    static Answer.Replied reply(int status, String body) {
        return new Answer.Replied(status, body.getBytes(UTF_8));
    }

    void answerNothing() {
        log.onRequest = _ -> {};
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
