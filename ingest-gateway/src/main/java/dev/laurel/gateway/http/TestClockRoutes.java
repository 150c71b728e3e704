package dev.laurel.gateway.http;

import dev.laurel.gateway.http.TestClockControl.MoveResult;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.Caller.AuditNote;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.serde.Times;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code /admin/v1/test-clock} (docs/virtual-time.md): shows the virtual time and moves it. */
record TestClockRoutes(TestClockControl control) implements Routes {

    private static final String PATH = "/admin/v1/test-clock";
    private static final String CLOCK = "test clock";

    /** Exactly one field must be given. @param now the new time @param advance the duration from the present time */
    record MoveBody(@Nullable String now, @Nullable String advance) {}

    record NowBody(Instant now) {}

    @Override
    public void mount(RouteTable routes) {
        routes.get(PATH, RequiredRole.VIEWER, context -> show(context, control.now()));
        routes.post(PATH, RequiredRole.ADMIN_OF_INSTANCE, this::move);
    }

    private void move(Context context) throws BadInputException, InterruptedException {
        AuditNote audit = Caller.of(context).audit();
        switch (control.move(target(read(context.bodyAsBytes())))) {
            case MoveResult.Done(Instant now) -> {
                audit.changed(CLOCK, null, Json.time(now));
                show(context, now);
            }
            case MoveResult.Refused(String reason) -> throw new HttpRefusal(422, reason);
            case MoveResult.Unfinished(Instant now, String reason) -> {
                audit.changed(CLOCK, null, Json.time(now));
                audit.unknown();
                throw HttpRefusal.busy("The clock shows "
                        + Json.time(now) + ", but not everything due by then has fired: " + reason
                        + ". Send {\"now\": \"" + Json.time(now) + "\"} to wait for it.");
            }
        }
    }

    private static void show(Context context, Instant now) {
        Answers.json(context, 200, new NowBody(now));
    }

    private static MoveBody read(byte[] body) throws BadInputException {
        if (body.length == 0) {
            throw new HttpRefusal(
                    400,
                    "A JSON object is expected: {\"now\": \"2026-03-04T09:15:00Z\"} or " + "{\"advance\": \"PT26H\"}.");
        }
        return Json.readForeign(body, MoveBody.class);
    }

    private static UnaryOperator<Instant> target(MoveBody body) throws BadInputException {
        String given = body.now();
        String advance = body.advance();
        if (given != null && advance == null) {
            Instant to = exact(Times.parseExact(given, "now"), "now");
            return _ -> to;
        }
        if (given != null || advance == null) {
            throw new HttpRefusal(422, "Give either now or advance.");
        }
        Duration by = duration(advance);
        return now -> by.compareTo(Duration.between(now, Instant.MAX)) > 0 ? Instant.MAX : now.plus(by);
    }

    private static Duration duration(String text) {
        Duration by;
        try {
            by = Duration.parse(text);
        } catch (DateTimeException e) {
            throw new HttpRefusal(
                    422,
                    "advance must be an ISO 8601 duration of days, hours, minutes and seconds, such as "
                            + "PT26H or P7D.");
        }
        if (by.isNegative()) {
            throw new HttpRefusal(422, "advance must not be negative: the clock only goes forward.");
        }
        exact(Instant.EPOCH.plusNanos(by.toNanosPart()), "advance");
        return by;
    }

    private static Instant exact(Instant time, String field) {
        if (!time.equals(time.truncatedTo(ChronoUnit.MILLIS))) {
            throw new HttpRefusal(422, field + " must not be finer than a millisecond.");
        }
        return time;
    }
}
