/** Ruleset files and the commands for them. Rules for rulesets live in the schemas module. */
package dev.laurel.deploy.tools.ruleset;
