package io.angarium.desk;

import io.angarium.Headers;

/**
 * One message in one stage, with its headers and without its payload. Immutable.
 *
 * @param headers as they were stored
 */
public record MessageDetails(MessageRow row, Headers headers) {}
