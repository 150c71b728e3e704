package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.schemas.ruleset.RulesetSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The ready-made rules for the history of a repository. */
final class GitRuleset {

    private static final String RESOURCE = "git-ruleset.yaml";

    private GitRuleset() {}

    static RulesetSource source() {
        try (InputStream in = GitRuleset.class.getResourceAsStream(RESOURCE)) {
            return RulesetFile.parse(RESOURCE, new String(in.readAllBytes(), StandardCharsets.UTF_8)).source();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sees to it that the server counts commits and lines. Somebody's own ruleset is never touched.
     *
     * @return whether the server had no rules and got these
     */
    static boolean ensure(RulesetClient client) {
        RulesetSource current = client.current().source();
        List<String> metrics = List.of(GitSource.COMMITS, GitSource.LINES_CHANGED);
        if (current.metrics().keySet().containsAll(metrics)) {
            return false;
        }
        if (!current.equals(RulesetSource.EMPTY)) {
            throw new CommandFailed("the server has a ruleset of its own without the metrics "
                    + String.join(" and ", metrics) + "; add them to it, or take a fresh server");
        }
        return switch (client.apply(source())) {
            case RulesetClient.Applied.Done _ -> true;
            case RulesetClient.Applied.Refused(var issues) ->
                throw new CommandFailed("the server refuses the ruleset for git histories: " + issues.getFirst());
        };
    }
}
