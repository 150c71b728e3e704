package dev.laurel.platform.http;

import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.Outcome;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.input.BadInputException;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The handler of a route that changes something: writes the audit record of each request when the result is known, and before the
 * answer is sent (docs/admin-api.md B9). So the record of an answered change is in the log, whatever happens to the process.
 *
 * <p>A request leaves a record if it was carried out or may have been, or if its author may not do that. Other refusals change nothing
 * and leave none.
 */
final class AuditedHandler implements Handler {

    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int FAILED = 500;

    private final String method;
    private final String path;
    private final Access access;
    private final Handler handler;
    private final AuditLog log;

    /** @param path as it is mounted */
    AuditedHandler(String method, String path, Access access, Handler handler, AuditLog log) {
        this.method = method;
        this.path = path;
        this.access = access;
        this.handler = handler;
        this.log = log;
    }

    @Override
    public void handle(Context context) throws Exception {
        Caller caller = Caller.of(context);
        log.expectWritable();
        try {
            handler.handle(context);
        } catch (HttpRefusal e) {
            write(context, caller, e.status(), e.getMessage());
            throw e;
        } catch (BadInputException e) {
            write(context, caller, e.refusal().kind().status(), e.refusal().message());
            throw e;
        } catch (HttpResponseException e) {
            write(context, caller, e.getStatus(), null);
            throw e;
        } catch (Exception e) {
            write(context, caller, ErrorAnswers.isBrokenBody(e) ? BAD_REQUEST : FAILED, null);
            throw e;
        } catch (Error e) {
            write(context, caller, FAILED, null);
            throw e;
        }
        write(context, caller, context.statusCode(), null);
    }

    private void write(Context context, Caller caller, int status, @Nullable String reason) {
        AuditEntry entry = caller.audit();
        Outcome outcome = outcomeOf(status, entry);
        if (outcome == null) {
            return;
        }
        Author author = Objects.requireNonNull(caller.author(), "an admin key has an author");
        log.write(new AuditRecord(Instant.now().truncatedTo(ChronoUnit.MILLIS), author,
                access.isOfInstance() || !caller.hasTenant() ? null : caller.tenant(),
                DocumentedRoutes.operationOf(method, path), outcome, outcome == Outcome.REFUSED ? reason : null,
                entry.objects(), entry.count(), entry.versions(),
                Objects.requireNonNullElse(context.res().getHeader(HttpServer.REQUEST_ID), "")));
    }

    /** @return null: the request changed nothing and leaves no record */
    private static @Nullable Outcome outcomeOf(int status, AuditEntry entry) {
        if (status < 300) {
            return entry.isUnknown() ? Outcome.UNKNOWN : Outcome.ACCEPTED;
        }
        if (status == FAILED || entry.isUnknown() || entry.count() > 0) {
            return Outcome.UNKNOWN;
        }
        return status == FORBIDDEN ? Outcome.REFUSED : null;
    }
}
