package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.ruleset.RulesetIssue;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.ruleset.RulesetValidator;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetRefusedBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;

/**
 * {@code PUT /admin/v1/ruleset}: the whole ruleset becomes what the body says. What is wrong with it is said here, all at
 * once (422 with {@code issues}); the ruleset writer judges again. The answer goes out when this gateway itself knows
 * the new version, so that a client's next event is judged by it.
 */
public final class RulesetRoutes implements Routes {

    private static final int OK = 200;

    private final Rulesets rulesets;
    private final Exchange exchange;
    private final Duration timeout;

    /** @param timeout for the new version to arrive here after it was published */
    public RulesetRoutes(Rulesets rulesets, Exchange exchange, Duration timeout) {
        this.rulesets = rulesets;
        this.exchange = exchange;
        this.timeout = timeout;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.put("/admin/v1/ruleset", this::replace);
    }

    private void replace(Context context) throws BadInputException {
        RulesetSource source = read(context.bodyAsBytes());
        List<RulesetIssue> issues = RulesetValidator.check(source);
        if (!issues.isEmpty()) {
            HttpServer.answer(context, 422, Json.write(RulesetRefusedBody.of(issues)));
            return;
        }
        TenantId tenant = Caller.of(context).tenant();
        Answer answer = exchange.ask(tenant, new RulesetEdit.Replace(source));
        if (answer instanceof Answer.Replied(int status, byte[] body, _) && status == OK) {
            answer = isKnownHere(tenant, Json.read(body, RulesetAppliedBody.class).version()) ? answer : Answer.PENDING;
        }
        Answers.write(context, answer, Answers::pending);
    }

    private boolean isKnownHere(TenantId tenant, long version) {
        try {
            return rulesets.await(tenant, version, timeout) != null;
        } catch (IllegalStateException _) {
            return false; // it is in force all the same, only not known here yet: pending
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static RulesetSource read(byte[] body) throws BadInputException {
        if (body.length == 0) {
            throw new HttpRefusal(400, "A JSON object is expected.");
        }
        return Json.readForeign(body, RulesetSource.class);
    }
}
