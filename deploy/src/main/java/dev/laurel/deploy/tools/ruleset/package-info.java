/** Ruleset files and the commands for them. Rules for rulesets live in the schemas module. */
@NullMarked
package dev.laurel.deploy.tools.ruleset;

import org.jspecify.annotations.NullMarked;
