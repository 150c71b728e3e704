package dev.laurel.deploy.e2e;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides a {@link LaurelInstance} with {@link SwimClub}'s ruleset, started once for all test classes. Tests use
 * user ids of their own, do not change the ruleset, and count only their own users.
 */
final class SharedLaurel implements ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedLaurel.class);

    private static LaurelInstance start() {
        try {
            LaurelInstance instance = LaurelInstance.start();
            instance.client().put("/admin/v1/ruleset", SwimClub.RULESET).expect(200);
            return instance;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting the instance under test", e);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LaurelInstance.class;
    }

    @Override
    public LaurelInstance resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // Closed with the store that holds it, at the end of the run.
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent("shared", _ -> start(), LaurelInstance.class);
    }
}
