package dev.laurel.deploy;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes options that were not given from the environment: {@code --data-dir} from {@code LAUREL_DATA_DIR}. An option
 * on the command line has precedence, then the environment, then the default of the option. An empty variable counts
 * as absent, because container platforms pass one for an unset value.
 */
final class EnvironmentDefaults implements IDefaultValueProvider {
    private static final String PREFIX = "LAUREL_";

    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
            return null;
        }
        String value = environment.get(variableOf(option));
        return value == null || value.isEmpty() ? null : value;
    }

    static String variableOf(OptionSpec option) {
        return PREFIX
                + option.longestName().replaceFirst("^-+", "").replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
