package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Answer.Pending;
import dev.laurel.gateway.reply.Answer.Replied;
import dev.laurel.gateway.reply.Answer.TooLarge;
import dev.laurel.gateway.reply.Answer.Unavailable;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.Map;
import java.util.function.Supplier;

/** Answers of the log as HTTP: the one place where an {@link Answer} gets a status. */
final class Answers {

    static final int RETRY_AFTER_S = 1;

    private static final byte[] PENDING = Json.write(Map.of("pending", true));

    private Answers() {}

    static byte[] pending() {
        return PENDING;
    }

    /** @param pending the body for a result that is not known yet */
    static void write(Context context, Answer answer, Supplier<byte[]> pending) {
        switch (answer) {
            case Replied(int status, byte[] body, _) -> HttpServer.answer(context, status, body);
            case Pending _ -> HttpServer.answer(context, 202, pending.get());
            case TooLarge _ -> throw new HttpRefusal(413, "The body is too large for the log. Nothing was stored.");
            case Unavailable(String reason) -> throw HttpRefusal.busy(reason, RETRY_AFTER_S);
        }
    }
}
