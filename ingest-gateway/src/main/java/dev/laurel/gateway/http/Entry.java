package dev.laurel.gateway.http;

import dev.laurel.gateway.admission.Admission;
import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.admission.Verdict;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.key.TenantId;
import java.util.function.Function;

/** Whether a request may go into the log, as HTTP: the one place where a {@link Verdict} gets a status. */
final class Entry {

    private static final String UNDECIDED = "The newest rules cannot be read at the moment. Nothing was stored; try again.";

    private Entry() {}

    /** @throws HttpRefusal if the request is not admitted */
    static Verdict.Admitted orRefuse(Admissions admissions, TenantId tenant, Function<Admission, Verdict> check) {
        return switch (admissions.judge(tenant, check)) {
            case Verdict.Admitted admitted -> admitted;
            case Verdict.Refused(Refusal refusal) -> throw HttpRefusal.of(refusal);
            case Verdict.Undecided() -> throw HttpRefusal.busy(UNDECIDED, Answers.RETRY_AFTER_S);
        };
    }
}
