package dev.laurel.gateway.http;

import dev.laurel.gateway.http.Replays.Addition;
import dev.laurel.gateway.http.Replays.Draft;
import dev.laurel.gateway.http.Replays.Format;
import dev.laurel.gateway.http.Replays.Replay;
import dev.laurel.gateway.http.Replays.State;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.admin.RequestFields;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.AuditBody.AuthorBody;
import dev.laurel.schemas.wire.RulesetBody.ReplayBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetRefusedBody;
import io.javalin.http.Context;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Replays of the log under drafts of rules (docs/admin-api.md B10).
 *
 * <ul>
 * <li>{@code POST /admin/v1/replays} starts one; the draft is checked like {@code PUT /admin/v1/ruleset}.
 * <li>{@code GET /admin/v1/replays}, {@code GET …/{id}}, {@code GET …/{id}/ruleset}, {@code GET …/{id}/report}: what it is and what came
 *     out.
 * <li>{@code DELETE …/{id}} cancels it, or deletes it once it has ended.
 * <li>{@code POST …/{id}/promote} publishes its draft.
 * </ul>
 *
 * @param offered null: this process runs no replays, and says so
 */
record ReplayRoutes(
        Configuration configuration,
        RulesetRoutes rulesets,
        InstantSource clock,
        @Nullable Replays offered) implements Routes {

    private static final String PATH = "/admin/v1/replays";
    private static final int NAME_LENGTH = 100;
    private static final String CSV = "text/csv";

    @Override
    public void mount(RouteTable routes) {
        String one = PATH + "/{id}";
        routes.post(PATH, RequiredRole.EDITOR, this::start);
        routes.get(PATH, RequiredRole.VIEWER, this::list);
        routes.get(one, RequiredRole.VIEWER, context -> answer(context, 200, find(context)));
        routes.get(one + "/ruleset", RequiredRole.VIEWER, context -> Answers.json(context, 200, rulesetOf(context)));
        routes.get(one + "/report", RequiredRole.VIEWER, this::report);
        routes.delete(one, RequiredRole.EDITOR, this::delete);
        routes.post(one + "/promote", RequiredRole.EDITOR_OF_INSTANCE, this::promote);
    }

    private void start(Context context) throws BadInputException {
        Replays replays = replays();
        Caller caller = Caller.of(context);
        Map<String, Object> body = Json.readForeignObject(context.bodyAsBytes());
        String name = RequestFields.of(body).text("name");
        if (name != null && (name.isBlank() || name.length() > NAME_LENGTH)) {
            throw new HttpRefusal(422, "name must have 1 to " + NAME_LENGTH + " characters.");
        }
        if (!(body.get("ruleset") instanceof Map<?, ?> document)) {
            throw new HttpRefusal(422, "ruleset must be a JSON object with the fields of a ruleset, such as metrics.");
        }
        RulesetSource source = Json.readForeign(Json.write(document), RulesetSource.class);
        Ruleset current = configuration.newest(caller.tenant());
        if (RulesetEditor.apply(current, source, clock.instant()) instanceof Result.Invalid(List<Issue> issues)) {
            Answers.json(context, 422, RulesetRefusedBody.of(issues));
            return;
        }
        switch (replays.add(new Draft(
                caller.tenant(),
                caller.author(),
                caller.isBound(),
                name == null ? "Draft based on version " + current.version() : name.strip(),
                current.version(),
                source))) {
            case Addition.Added(Replay replay) -> {
                note(context, replay);
                answer(context, 201, replay);
            }
            case Addition.Refused(String reason) -> throw new HttpRefusal(422, reason);
        }
    }

    private void list(Context context) {
        Caller caller = Caller.of(context);
        Answers.json(
                context,
                200,
                replays().list(caller.tenant()).stream()
                        .map(replay -> bodyOf(replay, caller))
                        .toList());
    }

    private void report(Context context) throws IOException {
        Replay replay = find(context);
        String users = Objects.requireNonNullElse(context.queryParam("users"), "all");
        if (!users.equals("all") && !users.equals("largest")) {
            throw new HttpRefusal(422, "users must be all or largest.");
        }
        boolean isCsv = Objects.requireNonNullElse(context.header("Accept"), "").contains(CSV);
        Path file = replays()
                .report(
                        replay.tenant(),
                        replay.id(),
                        isCsv ? Format.CSV : users.equals("all") ? Format.JSON : Format.LARGEST);
        if (file == null) {
            throw new HttpRefusal(404, "The replay has no report: it is " + word(replay.state()) + ".");
        }
        context.header("Vary", "Accept");
        try {
            context.contentType(isCsv ? CSV + "; charset=utf-8" : "application/json")
                    .result(Files.newInputStream(file));
        } catch (NoSuchFileException _) {
            throw notFound();
        }
    }

    private void delete(Context context) {
        Replay replay = find(context);
        Replay cancelled = replays().cancel(replay.tenant(), replay.id());
        if (cancelled == null && !replays().delete(replay.tenant(), replay.id())) {
            throw notFound();
        }
        note(context, replay);
        answer(context, 200, cancelled == null ? replay : cancelled);
    }

    private void promote(Context context) throws BadInputException {
        Replay replay = find(context);
        long base = RequestFields.of(Json.readForeignObject(context.bodyAsBytes()))
                .requiredWhole("baseVersion", 0, Long.MAX_VALUE);
        if (replay.state() != State.FINISHED) {
            throw new HttpRefusal(
                    422,
                    "Only the draft of a finished replay can be promoted: this one is " + word(replay.state()) + ".");
        }
        RulesetSource draft = rulesetOf(context);
        long newest = configuration.newest(replay.tenant()).version();
        if (newest != base) {
            throw new HttpRefusal(
                    422,
                    "baseVersion is " + base + ", and the newest version of the ruleset is " + newest
                            + ". Compare the draft with that one first.");
        }
        note(context, replay);
        rulesets.replace(context, draft, base);
    }

    private RulesetSource rulesetOf(Context context) {
        Replay replay = find(context);
        RulesetSource draft = replays().ruleset(replay.tenant(), replay.id());
        if (draft == null) {
            throw notFound();
        }
        return draft;
    }

    private Replay find(Context context) {
        Replays replays = replays();
        TenantId tenant = Caller.of(context).tenant();
        UUID id;
        try {
            id = UUID.fromString(context.pathParam("id"));
        } catch (IllegalArgumentException _) {
            throw new HttpRefusal(422, BulkInput.NO_UUID + ".");
        }
        Replay replay = replays.find(tenant, id);
        if (replay == null) {
            throw notFound();
        }
        return replay;
    }

    private Replays replays() {
        if (offered == null) {
            throw new HttpRefusal(
                    404, "This process runs no replays. Start a gateway, or a node with --gateway, with --replays 1.");
        }
        return offered;
    }

    private static HttpRefusal notFound() {
        return new HttpRefusal(404, "Replay not found");
    }

    private static void answer(Context context, int status, Replay replay) {
        Answers.json(context, status, bodyOf(replay, Caller.of(context)));
    }

    /** A caller that is bound to a tenant sees the share of a step, and not how much all tenants have. */
    private static ReplayBody bodyOf(Replay replay, Caller caller) {
        Replays.Step step = replay.progress();
        Replays.Figures figures = replay.figures();
        return new ReplayBody(
                replay.id(),
                replay.name(),
                word(replay.state()),
                AuthorBody.of(replay.author()),
                replay.baseVersion(),
                replay.createdAt(),
                replay.startedAt(),
                replay.endedAt(),
                step == null
                        ? null
                        : new ReplayBody.ProgressBody(
                                step.name(),
                                step.unit(),
                                shareOf(step),
                                caller.isBound() ? null : step.done(),
                                caller.isBound() ? null : step.total(),
                                step.secondsLeft()),
                figures == null
                        ? null
                        : new ReplayBody.ResultBody(figures.users(), figures.different(), figures.onlyOtherRank()),
                replay.error());
    }

    private static BigDecimal shareOf(Replays.Step step) {
        return step.total() == 0
                ? BigDecimal.ONE
                : BigDecimal.valueOf(step.done()).divide(BigDecimal.valueOf(step.total()), 3, RoundingMode.DOWN);
    }

    private static void note(Context context, Replay replay) {
        Caller.of(context).audit().changed("replay", replay.id().toString(), replay.name());
    }

    private static String word(State state) {
        return IssueList.word(state);
    }
}
