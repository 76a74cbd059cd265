"""Drives a running service with the client that openapi-python-client made of its document."""

import sys

from pyclient import AuthenticatedClient, Client
from pyclient.api.analysis import analysis_create, analysis_export, analysis_list, analysis_result, analysis_status
from pyclient.api.badge import badge_data
from pyclient.api.health import health_basic
from pyclient.models import AnalysisResult, CreateAnalysis, Error
from pyclient.models.analysis_export_format import AnalysisExportFormat

url, key, completed = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)

assert health_basic.sync(client=Client(base_url=url)).status == "ok"

created = analysis_create.sync(client=client, body=CreateAnalysis(repository_url="https://github.com/example/vault"))
status = analysis_status.sync(id=created.analysis_id, client=client)
assert (status.status.value, status.progress) == ("pending", 0), status
assert created.analysis_id in [item.analysis_id for item in analysis_list.sync(client=client)]

result = analysis_result.sync(id=completed, client=client)
assert isinstance(result, AnalysisResult), result
assert result.findings[0].severity.value == "high" and result.summary.total_findings == 1
for format in AnalysisExportFormat:
    text = analysis_export.sync(id=completed, client=client, format_=format)
    assert isinstance(text, str) and len(text) > 20, (format, text)
assert badge_data.sync(id=completed, client=Client(base_url=url)).high_findings == 1

early = analysis_result.sync(id=created.analysis_id, client=client)
assert isinstance(early, Error) and early.error.code.value == "ANALYSIS_NOT_READY", early
wrong = analysis_create.sync(client=client, body=CreateAnalysis(repository_url="file:///etc/passwd"))
assert isinstance(wrong, Error) and wrong.error.code.value == "VALIDATION_ERROR", wrong
refused = analysis_list.sync(client=AuthenticatedClient(base_url=url, token="wrong"))
assert isinstance(refused, Error) and refused.error.code.value == "UNAUTHENTICATED", refused
print("driven")
