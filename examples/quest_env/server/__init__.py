"""Number Quest for OpenEnv."""
