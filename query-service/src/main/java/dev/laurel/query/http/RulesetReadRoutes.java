package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.http.Query.Page;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.RulesetBody.RulesetDiffBody;
import io.javalin.http.Context;

/**
 * The ruleset as one document, and its versions.
 *
 * <ul>
 * <li>{@code GET /admin/v1/ruleset}: the newest version; its number is in {@value #VERSION_HEADER} and in {@code ETag}.
 * <li>{@code GET /admin/v1/ruleset/versions/{version}}: an earlier version.
 * <li>{@code GET /admin/v1/ruleset/history}: the changes of each version, newest first ({@code limit}, {@code skip}).
 * <li>{@code GET /admin/v1/ruleset/diff?from=&to=}: the differences between two versions; {@code to} defaults to the newest.
 * </ul>
 */
record RulesetReadRoutes(ConfigReads reads) implements Routes {

    /** The header with the version of the ruleset. */
    private static final String VERSION_HEADER = "X-Laurel-Ruleset-Version";

    private static final String PATH = "/admin/v1/ruleset";

    @Override
    public void mount(RouteTable routes) {
        routes.get(PATH, RequiredRole.VIEWER, context -> show(context, reads.newest(tenant(context))));
        routes.get(
                PATH + "/versions/{version}",
                RequiredRole.VIEWER,
                context -> show(
                        context,
                        version(context, RequestParameters.rulesetVersion("version", context.pathParam("version")))));
        routes.get(PATH + "/history", RequiredRole.VIEWER, this::history);
        routes.get(PATH + "/diff", RequiredRole.VIEWER, this::diff);
    }

    private void show(Context context, Ruleset ruleset) {
        context.header(VERSION_HEADER, Long.toString(ruleset.version()));
        context.header("ETag", "\"" + ruleset.version() + "\"");
        answer(context, reads.sourceOf(ruleset));
    }

    private void history(Context context) {
        Page page = Page.of(context);
        answer(context, reads.history(tenant(context), page.skip(), page.limit()));
    }

    private void diff(Context context) {
        Ruleset from = version(context, RequestParameters.rulesetVersion("from", context.queryParam("from")));
        String to = context.queryParam("to");
        Ruleset other = to == null
                ? reads.newest(tenant(context))
                : version(context, RequestParameters.rulesetVersion("to", to));
        answer(context, new RulesetDiffBody(from.version(), other.version(), reads.diff(from, other)));
    }

    private Ruleset version(Context context, long version) {
        Ruleset ruleset = reads.version(tenant(context), version);
        if (ruleset == null) {
            throw new HttpRefusal(404, "Ruleset version " + version + " not found");
        }
        return ruleset;
    }

    private static TenantId tenant(Context context) {
        return Caller.of(context).tenant();
    }
}
