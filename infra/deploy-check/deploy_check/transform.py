"""What the emulator wants otherwise than AWS: every change that is made to the template for it, and for nothing else."""

import logging
import os

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

# It counts its own use, and complains that nobody collects that.
logging.getLogger("samtranslator").setLevel(logging.ERROR)
API_ID = "0f0f0f0f"
# Of versions, where AWS puts the parameter Release.
RELEASE = "5e1ea5e000"
# The emulator has no such thing; docs/deploy.md says how each is checked otherwise.
UNKNOWN = ("AWS::Budgets::", "AWS::WAFv2::", "AWS::CodeDeploy::", "AWS::CloudWatch::CompositeAlarm")
# The way in to it and the stand-ins have no certificates.
SPEAK_HTTP = ("PublicOrigin", "DarajaBaseUrl", "FplBaseUrl", "BeaconBaseUrls")
MOST_RESOURCES = 500
TABLE_KEYS = "dynamodb:LeadingKeys"


class _NoPolicies:
    def load(self):
        return {}


def for_the_emulator(text: str, code: tuple[str, str], port: int, region: str, url: str, take=None) -> tuple[dict, list[str]]:
    """The template as the emulator can deploy it, with the functions' code at `code` (bucket, key), reached at `url`, and
    what was left out of it. `take` takes something away first."""
    template = yaml_parse(text)
    template["Globals"]["Function"]["CodeUri"] = {"Bucket": code[0], "Key": code[1]}
    template["Globals"]["Function"]["Architectures"] = ["x86_64"]
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            # A version's alias shifts at once: it knows no CodeDeploy.
            resource["Properties"].pop("DeploymentPreference", None)
            # AWS gives the translator the parameters, for each change anew.
            if "AutoPublishCodeSha256" in resource["Properties"]:
                resource["Properties"]["AutoPublishCodeSha256"] = RELEASE
    os.environ["AWS_DEFAULT_REGION"] = region
    template = transform(template, {}, _NoPolicies())
    resources = template["Resources"]
    assert len(resources) <= MOST_RESOURCES, f"{len(resources)} resources: a stack has {MOST_RESOURCES} at most"
    if take:
        take(resources)
    for name in SPEAK_HTTP:
        template["Parameters"].get(name, {}).pop("AllowedPattern", None)
    left_out = sorted(name for name, resource in resources.items() if _unknown(resource))
    for name in left_out:
        del resources[name]
    for name, resource in list(resources.items()):
        properties = resource.get("Properties", {})
        match resource["Type"]:
            case "AWS::ApiGatewayV2::Api":
                _routes(resources, name, properties)
            case "AWS::Lambda::EventSourceMapping":
                # A parameter is a text there, and it compares it with a number.
                most = properties.get("ScalingConfig", {}).get("MaximumConcurrency")
                if isinstance(most, dict):
                    default = template["Parameters"][most["Ref"]]["Default"]
                    properties["ScalingConfig"]["MaximumConcurrency"] = int(default)
            case "AWS::CloudFront::Distribution":
                _origins(properties["DistributionConfig"], port)
            case "AWS::IAM::Role":
                for policy in properties.get("Policies", []):
                    for statement in policy["PolicyDocument"]["Statement"]:
                        _grant(statement)
    _forget(template["Outputs"], left_out)
    # The distribution's own name leads nowhere there.
    template["Outputs"]["Url"]["Value"] = url
    return template, left_out


def _unknown(resource: dict) -> bool:
    # Nor an alarm on what is worked out from several metrics.
    by_formula = resource["Type"] == "AWS::CloudWatch::Alarm" and "Metrics" in resource["Properties"]
    return by_formula or resource["Type"].startswith(UNKNOWN)


def _routes(resources: dict, api: str, properties: dict) -> None:
    """It takes no document: each path is an integration and a route."""
    document = properties.pop("Body")
    properties.update(Name=api, ProtocolType="HTTP", Tags={"ms-custom-id": API_ID})
    properties.pop("FailOnWarnings", None)
    n = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            integration = operation.get("x-amazon-apigateway-integration")
            if integration is None:
                continue
            n += 1
            resources[f"{api}Integration{n}"] = {
                "Type": "AWS::ApiGatewayV2::Integration",
                "Properties": {
                    "ApiId": {"Ref": api},
                    "IntegrationType": "AWS_PROXY",
                    "IntegrationUri": integration["uri"],
                    "PayloadFormatVersion": "2.0",
                },
            }
            resources[f"{api}Route{n}"] = {
                "Type": "AWS::ApiGatewayV2::Route",
                "Properties": {
                    "ApiId": {"Ref": api},
                    "RouteKey": f"{method.upper()} {path}",
                    "Target": {"Fn::Sub": f"integrations/${{{api}Integration{n}}}"},
                },
            }


def _origins(distribution: dict, port: int) -> None:
    for origin in distribution["Origins"]:
        if "S3OriginConfig" in origin:
            # It drops an empty one, and then knows no bucket.
            origin["S3OriginConfig"] = {"OriginAccessIdentity": ""}
        else:
            origin["DomainName"] = "localhost"
            origin["OriginPath"] = f"/_aws/execute-api/{API_ID}/$default"
            origin["CustomOriginConfig"] = {"OriginProtocolPolicy": "http-only", "HTTPPort": port}


def _grant(statement: dict) -> None:
    actions = statement["Action"] = _list(statement["Action"])
    resources = statement["Resource"] = _list(statement["Resource"])
    if "sqs:SendMessage" in actions:
        actions.append("sqs:SendMessageBatch")
    if "ses:SendEmail" in actions:
        statement["Resource"] = ["*"]
        statement.pop("Condition", None)
    if "ssm:GetParameters" in actions:
        # It looks for one name where a call has several, and finds none.
        statement["Resource"] = ["*"]
    if any(action.startswith("events:") for action in actions):
        for resource in list(resources):
            if isinstance(resource, dict) and isinstance(resource.get("Fn::Sub"), str):
                resources.append({"Fn::Sub": resource["Fn::Sub"].replace(":rule/", ":rule/default/")})
    # It knows no leading keys, so what says that there have to be some could not be met.
    conditions = statement.get("Condition", {})
    for operator in list(conditions):
        conditions[operator].pop(TABLE_KEYS, None)
        if not conditions[operator]:
            del conditions[operator]
    if not conditions:
        statement.pop("Condition", None)


def _list(value) -> list:
    return list(value) if isinstance(value, list) else [value]


def _forget(outputs: dict, left_out: list[str]) -> None:
    """Outputs of what is not there."""
    for name, output in list(outputs.items()):
        if any(f"'{gone}'" in str(output) for gone in left_out):
            del outputs[name]
