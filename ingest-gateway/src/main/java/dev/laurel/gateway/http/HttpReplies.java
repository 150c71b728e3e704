package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.admission.Admissions.Admission;
import dev.laurel.gateway.admission.Admissions.Verdict;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import io.javalin.http.Context;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Translates request results and verdicts to HTTP; the only class that maps them to a status. */
final class HttpReplies {

    private static final byte[] PENDING = Json.write(Map.of("pending", true));
    private static final String UNDECIDED =
            "The newest rules cannot be read at the moment. Nothing was stored; try again.";

    private HttpReplies() {}

    static void write(Context context, RequestResult result) {
        if (result instanceof RequestResult.Pending) {
            Caller.of(context).audit().unknown();
        }
        write(context, result, () -> PENDING);
    }

    /** @param pending body of the response if the reply is not known */
    static void write(Context context, RequestResult result, Supplier<byte[]> pending) {
        switch (result) {
            case RequestResult.Replied(int status, byte[] body, var _, var _) -> Answers.answer(context, status, body);
            case RequestResult.Pending _ -> Answers.answer(context, 202, pending.get());
            case RequestResult.TooLarge _ ->
                throw new HttpRefusal(413, "The body is too large for the log. Nothing was stored.");
            case RequestResult.Unavailable(String reason) -> throw HttpRefusal.busy(reason);
        }
    }

    /** @throws HttpRefusal if the request may not go into the log */
    static Verdict.Admitted admit(Admissions admissions, TenantId tenant, Function<Admission, Verdict> check) {
        return switch (admissions.check(tenant, check)) {
            case Verdict.Admitted admitted -> admitted;
            case Verdict.Denied(Refusal refusal) -> throw HttpRefusal.of(refusal);
            case Verdict.Undecided() -> throw HttpRefusal.busy(UNDECIDED);
        };
    }
}
