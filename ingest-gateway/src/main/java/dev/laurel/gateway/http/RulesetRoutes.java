package dev.laurel.gateway.http;

import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.admin.RequestFields;
import dev.laurel.schemas.admin.RulesetDiff;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetBody.RulesetDiffBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetRefusedBody;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The routes that change the ruleset as one document.
 *
 * <ul>
 * <li>{@code PUT /admin/v1/ruleset} replaces it with the body. With {@code ?base=VERSION} or {@code If-Match: "VERSION"}, the response is
 * 422 unless that is still the newest version, so that the changes of others are not lost.
 * <li>{@code POST /admin/v1/ruleset/diff} lists the changes that the body would make.
 * <li>Both take the body as the whole ruleset; with {@code ?missing=keep}, sections that it does not have stay as they are.
 * <li>{@code POST /admin/v1/ruleset/rollback} with the body {@code {"version": 3}} creates a version with the content of version 3.
 * </ul>
 *
 * All issues of a document are reported at once (422 with {@code issues}); the ruleset writer checks it again.
 */
record RulesetRoutes(Configuration configuration, InstantSource clock) implements Routes {

    private static final String PATH = "/admin/v1/ruleset";

    @Override
    public void mount(RouteTable routes) {
        routes.put(PATH, RequiredRole.EDITOR, this::replace);
        routes.post(PATH + "/diff", RequiredRole.VIEWER, this::diff);
        routes.post(PATH + "/rollback", RequiredRole.EDITOR, this::rollback);
    }

    private void replace(Context context) throws BadInputException {
        Long base = baseOf(context);
        RulesetSource source = read(context.bodyAsBytes());
        if (keepsMissing(context)) {
            Ruleset current = configuration.newest(Caller.of(context).tenant());
            source = source.over(RulesetSource.of(current, clock.instant()));
            base = base == null ? Long.valueOf(current.version()) : base;
        }
        List<Issue> issues = source.issues();
        if (!issues.isEmpty()) {
            Answers.json(context, 422, RulesetRefusedBody.of(issues));
            return;
        }
        replace(context, source, base);
    }

    /**
     * Publishes a document, if the caller may make its changes, and writes the result to the response.
     *
     * @param base see {@link Edit.Replace}
     */
    void replace(Context context, RulesetSource source, @Nullable Long base) {
        Caller caller = Caller.of(context);
        Long checked = base;
        if (!caller.isPermitted(RequiredRole.ADMIN)) {
            Ruleset current = configuration.newest(caller.tenant());
            Ruleset next =
                    RulesetEditor.apply(current, source, clock.instant()) instanceof Result.Changed(Ruleset changed)
                            ? changed
                            : current;
            checked = baseOfSameSettings(caller, current, next, base);
        }
        configuration.edit(context, new Edit.Replace(source, checked));
    }

    private void diff(Context context) throws BadInputException {
        RulesetSource source = read(context.bodyAsBytes());
        Ruleset current = configuration.newest(Caller.of(context).tenant());
        if (keepsMissing(context)) {
            source = source.over(RulesetSource.of(current, clock.instant()));
        }
        switch (RulesetEditor.apply(current, source, clock.instant())) {
            case Result.Changed(Ruleset next) ->
                Answers.json(
                        context,
                        200,
                        new RulesetDiffBody(
                                current.version(), null, RulesetDiff.between(current, next, clock.instant())));
            case Result.Unchanged _ ->
                Answers.json(context, 200, new RulesetDiffBody(current.version(), null, List.of()));
            case Result.Invalid(List<Issue> issues) -> Answers.json(context, 422, RulesetRefusedBody.of(issues));
        }
    }

    private void rollback(Context context) throws BadInputException {
        Map<String, Object> fields = Json.readForeignObject(context.bodyAsBytes());
        RequestFields item = RequestFields.of(fields);
        long version = item.requiredWhole("version", 1, Long.MAX_VALUE);
        Long base = item.whole("baseVersion", 0, Long.MAX_VALUE);
        Caller caller = Caller.of(context);
        Ruleset earlier = configuration.version(caller.tenant(), version);
        if (earlier == null) {
            throw new HttpRefusal(404, "Ruleset version " + version + " not found");
        }
        if (!caller.isPermitted(RequiredRole.ADMIN)) {
            Ruleset current = configuration.newest(caller.tenant());
            base = baseOfSameSettings(caller, current, earlier, base);
        }
        configuration.edit(context, new Edit.Rollback(earlier, base));
    }

    /**
     * Checks a document like {@code PATCH /admin/v1/settings}. Returns the version that the edit must be based on, so that it is applied
     * only to the settings that were compared.
     *
     * @param base the one that the client names; null: none
     */
    private static long baseOfSameSettings(Caller caller, Ruleset current, Ruleset next, @Nullable Long base) {
        if (!next.settings().equals(current.settings())) {
            caller.expect(RequiredRole.ADMIN, "A change of settings");
        }
        if (base != null && base > current.version()) {
            throw new HttpRefusal(
                    422, "There is no version " + base + " of the ruleset: it is at " + current.version() + " now.");
        }
        return base == null ? current.version() : base;
    }

    private static boolean keepsMissing(Context context) {
        String missing = Objects.requireNonNullElse(context.queryParam("missing"), "remove");
        if (!missing.equals("keep") && !missing.equals("remove")) {
            throw new HttpRefusal(422, "missing must be keep or remove.");
        }
        return missing.equals("keep");
    }

    /** The version on which the edit is based; null if the client does not name one. */
    private static @Nullable Long baseOf(Context context) {
        Long parameter = version("base", context.queryParam("base"));
        String tag = context.header("If-Match");
        Long header = tag == null || tag.equals("*") ? null : version("If-Match", tag.replaceAll("^\"|\"$", ""));
        if (parameter != null && header != null && !parameter.equals(header)) {
            throw new HttpRefusal(
                    422, "base and If-Match must name the same version, are " + parameter + " and " + header + ".");
        }
        return parameter == null ? header : parameter;
    }

    private static @Nullable Long version(String name, @Nullable String text) {
        return text == null ? null : Long.valueOf(RequestParameters.rulesetVersion(name, text));
    }

    private static RulesetSource read(byte[] body) throws BadInputException {
        if (body.length == 0) {
            throw new HttpRefusal(400, "A JSON object is expected.");
        }
        return Json.readForeign(body, RulesetSource.class);
    }
}
