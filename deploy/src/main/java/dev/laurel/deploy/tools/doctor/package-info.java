/**
 * Diagnosis of a deployment: inspectors collect facts, checks evaluate them without any input or output, and the
 * command prints findings.
 */
@NullMarked
package dev.laurel.deploy.tools.doctor;

import org.jspecify.annotations.NullMarked;
