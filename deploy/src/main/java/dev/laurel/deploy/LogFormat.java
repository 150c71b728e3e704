package dev.laurel.deploy;

/** How log lines are written, one event a line either way. */
enum LogFormat {
    plain, json
}
